! The same as host.c, in Fortran.
! gfortran ../fortran/kinlane.f90 host.f90 -L../../../target/release -lkinlane -o host
program host
    use kinlane
    implicit none
    integer(c_size_t), parameter :: cells = 101
    type(c_ptr) :: error, gas, options, solver
    type(kinlane_report) :: report
    type(kinlane_extras) :: extras
    integer(c_int32_t), target :: status(cells)
    real(c_double) :: temperature(cells), pressure(cells)
    real(c_double), allocatable :: y(:, :) ! (species, cells)
    integer :: i, step

    if (kinlane_abi() /= kinlane_abi_of_module) error stop "the library is of another version than kinlane.f90"
    error = kinlane_error_new()
    gas = kinlane_mechanism_open("h2" // c_null_char, c_null_ptr, error)
    call check(c_associated(gas))
    options = kinlane_options_new()
    call check(kinlane_options_set_number(options, "rtol" // c_null_char, 1e-6_c_double, error) == kinlane_ok)
    call check(kinlane_options_set_number(options, "threads" // c_null_char, 1.0_c_double, error) == kinlane_ok)
    solver = kinlane_solver_new(gas, options, error)
    call check(c_associated(solver))
    call kinlane_options_free(options)

    allocate (y(kinlane_mechanism_count(gas, kinlane_species), cells), source=0.0_c_double)
    y(place("H2"), :) = 0.0285_c_double
    y(place("O2"), :) = 0.2264_c_double
    y(place("N2"), :) = 0.7451_c_double
    temperature = [(1000.0_c_double + 5.0_c_double * real(i, c_double), i=0, int(cells) - 1)]
    pressure = 1e5_c_double

    extras%status = c_loc(status)
    do step = 1, 100
        call check(kinlane_advance(solver, cells, temperature, pressure, y, kinlane_cell_major, 1e-6_c_double, &
            extras, report, error) == kinlane_ok)
        if (any(status /= kinlane_done)) print *, report%failed, "cells failed"
    end do
    do i = 1, int(cells), 20
        print "(i6, a, f7.2, a)", 1000 + 5 * (i - 1), " K: ", temperature(i), " K after 1e-4 s"
    end do
    call kinlane_solver_free(solver)
    call kinlane_mechanism_free(gas)
    call kinlane_error_free(error)

contains

    subroutine check(good)
        logical, intent(in) :: good
        if (.not. good) then
            print "(a)", kinlane_text(kinlane_error_text(error))
            error stop
        end if
    end subroutine

    ! From 1, as Fortran counts.
    function place(name) result(i)
        character(*), intent(in) :: name
        integer(c_size_t) :: i
        i = kinlane_mechanism_index(gas, kinlane_species, name // c_null_char, error)
        call check(i /= kinlane_none)
        i = i + 1
    end function
end program
