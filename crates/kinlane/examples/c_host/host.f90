! The same as host.c, in Fortran.
! gfortran host.f90 -L../../../../target/release/examples -lc_host -o host
module kinlane
    use, intrinsic :: iso_c_binding
    implicit none

    interface
        function kinlane_open(mechanism, rtol, atol, threads, error, length) bind(c) result(solver)
            import :: c_ptr, c_char, c_double, c_int, c_size_t
            character(kind=c_char), intent(in) :: mechanism(*)
            real(c_double), value :: rtol, atol
            integer(c_int), value :: threads
            character(kind=c_char), intent(out) :: error(*)
            integer(c_size_t), value :: length
            type(c_ptr) :: solver
        end function

        function kinlane_species_count(solver) bind(c) result(n)
            import :: c_ptr, c_size_t
            type(c_ptr), value :: solver
            integer(c_size_t) :: n
        end function

        ! From 0, as in C.
        function kinlane_species_index(solver, name) bind(c) result(i)
            import :: c_ptr, c_char, c_long
            type(c_ptr), value :: solver
            character(kind=c_char), intent(in) :: name(*)
            integer(c_long) :: i
        end function

        function kinlane_advance(solver, n, temperature, pressure, y, dt) bind(c) result(failed)
            import :: c_ptr, c_size_t, c_double, c_long
            type(c_ptr), value :: solver
            integer(c_size_t), value :: n
            real(c_double), intent(inout) :: temperature(*), pressure(*), y(*)
            real(c_double), value :: dt
            integer(c_long) :: failed
        end function

        subroutine kinlane_close(solver) bind(c)
            import :: c_ptr
            type(c_ptr), value :: solver
        end subroutine
    end interface
end module

program host
    use kinlane
    implicit none
    integer(c_size_t), parameter :: cells = 101
    character(kind=c_char) :: error(2000)
    type(c_ptr) :: solver
    real(c_double) :: temperature(cells), pressure(cells)
    real(c_double), allocatable :: y(:, :) ! (species, cells), the cells apart as in C
    integer :: i, step

    solver = kinlane_open("h2" // c_null_char, 1e-6_c_double, 1e-12_c_double, 1_c_int, error, size(error, kind=c_size_t))
    if (.not. c_associated(solver)) error stop "no such mechanism"

    allocate (y(kinlane_species_count(solver), cells), source=0.0_c_double)
    y(place("H2"), :) = 0.0285_c_double
    y(place("O2"), :) = 0.2264_c_double
    y(place("N2"), :) = 0.7451_c_double
    temperature = [(1000.0_c_double + 5.0_c_double * real(i, c_double), i=0, int(cells) - 1)]
    pressure = 1e5_c_double

    do step = 1, 100
        if (kinlane_advance(solver, cells, temperature, pressure, y, 1e-6_c_double) /= 0) error stop "cells failed"
    end do
    do i = 1, int(cells), 20
        print "(i6, a, f7.2, a)", 1000 + 5 * (i - 1), " K: ", temperature(i), " K after 1e-4 s"
    end do
    call kinlane_close(solver)

contains

    integer function place(name)
        character(*), intent(in) :: name
        place = int(kinlane_species_index(solver, name // c_null_char)) + 1
    end function
end program
