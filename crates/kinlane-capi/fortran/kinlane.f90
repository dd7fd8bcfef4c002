! The interface of kinlane for Fortran: `kinlane.h`, function by function. That file says what each of them does; here
! is only what differs.
!
! - Compile this file with your own, and link libkinlane.
! - Handles are type(c_ptr); c_null_ptr where one is made and fails, or may be left out.
! - Texts end with a zero: kinlane_mechanism_open("gri30" // c_null_char, ...). kinlane_text makes a text of Fortran of
!   one of C.
! - Numbers of species and cells are counted from 0, as in C: add 1.
! - Mass fractions are y(species, cells) with kinlane_cell_major, y(cells, species) with kinlane_species_major; so are the arrays of
!   schemes, amounts(species, cells), constants(reactions, cells) and jacobian(species, species, cells), whose first index is that of
!   the column. All other arrays have the shapes of kinlane.h turned round, whatever the layout: factors(reactions, cells),
!   progress(2, reactions, cells) and jacobian(species + 1, species + 1, cells) of a gas, the column again first,
!   stoichiometry(species, reactions), atoms(elements, species), series(species + 2, times, cells), found(events, cells).
! - Arrays of which c_loc is taken are contiguous: of a section the compiler copies an argument, but c_loc of it leads to where it begins.
! - Arguments that may be NULL are optional, but for handles and others of type(c_ptr), for which pass c_null_ptr: name those that follow, as in error=error.
module kinlane
    use, intrinsic :: iso_c_binding
    implicit none
    public

    ! Changes of the interface: kinlane_abi() has to be the same.
    integer(c_int), parameter :: kinlane_abi_of_module = 2
    ! What an index function returns where there is no such thing.
    integer(c_size_t), parameter :: kinlane_none = -1_c_size_t

    ! What a call came to.
    integer(c_int), parameter :: kinlane_ok = 0
    integer(c_int), parameter :: kinlane_argument = 1
    integer(c_int), parameter :: kinlane_mechanism = 2
    integer(c_int), parameter :: kinlane_plan = 3
    integer(c_int), parameter :: kinlane_batch = 4
    integer(c_int), parameter :: kinlane_device = 5
    integer(c_int), parameter :: kinlane_busy = 6
    integer(c_int), parameter :: kinlane_internal = 7

    ! Lists of names.
    integer(c_int), parameter :: kinlane_species = 0
    integer(c_int), parameter :: kinlane_reactions = 1
    integer(c_int), parameter :: kinlane_elements = 2
    integer(c_int), parameter :: kinlane_fixed = 3
    integer(c_int), parameter :: kinlane_photolysis = 4
    integer(c_int), parameter :: kinlane_inputs = 5
    integer(c_int), parameter :: kinlane_warnings = 6

    ! How a cell ended.
    integer(c_int), parameter :: kinlane_done = 0
    integer(c_int), parameter :: kinlane_step_too_small = 1
    integer(c_int), parameter :: kinlane_too_many_steps = 2
    integer(c_int), parameter :: kinlane_not_finite = 3
    integer(c_int), parameter :: kinlane_cancelled = 4

    ! Order of y: y(species, cells), or y(cells, species).
    integer(c_int), parameter :: kinlane_cell_major = 0
    integer(c_int), parameter :: kinlane_species_major = 1

    ! What a call may have besides: c_loc of arrays, or nothing.
    type, bind(c) :: kinlane_extras
        type(c_ptr) :: electron_temperature = c_null_ptr
        type(c_ptr) :: dydt = c_null_ptr
        type(c_ptr) :: heating = c_null_ptr
        type(c_ptr) :: intervals = c_null_ptr
        type(c_ptr) :: factors = c_null_ptr
        type(c_ptr) :: continuation = c_null_ptr
        type(c_ptr) :: status = c_null_ptr
        type(c_ptr) :: steps = c_null_ptr
        type(c_ptr) :: rejected = c_null_ptr
        type(c_ptr) :: work = c_null_ptr
        type(c_ptr) :: reached = c_null_ptr
    end type

    ! Summary of a call; counts are sums over the cells.
    type, bind(c) :: kinlane_report
        integer(c_size_t) :: cells = 0_c_size_t
        integer(c_size_t) :: failed = 0_c_size_t
        integer(c_size_t) :: rescued = 0_c_size_t
        real(c_double) :: seconds = 0.0_c_double
        real(c_double) :: cpu_seconds = 0.0_c_double
        integer(c_int64_t) :: steps = 0_c_int64_t
        integer(c_int64_t) :: rejected = 0_c_int64_t
        integer(c_int64_t) :: rhs = 0_c_int64_t
        integer(c_int64_t) :: jac = 0_c_int64_t
        integer(c_int64_t) :: factor = 0_c_int64_t
    end type

    ! What a follower notes, and where: c_loc of arrays.
    type, bind(c) :: kinlane_notes
        integer(c_size_t) :: times = 0_c_size_t
        type(c_ptr) :: time = c_null_ptr
        type(c_ptr) :: series = c_null_ptr
        type(c_ptr) :: events = c_null_ptr
        type(c_ptr) :: found = c_null_ptr
    end type

    ! What is imposed on cells over time: c_loc of arrays; value(knots, rows).
    type, bind(c) :: kinlane_history
        integer(c_size_t) :: knots = 0_c_size_t
        type(c_ptr) :: time = c_null_ptr
        integer(c_size_t) :: rows = 0_c_size_t
        type(c_ptr) :: value = c_null_ptr
    end type

    ! States that are only read: c_loc of arrays.
    type, bind(c) :: kinlane_states
        integer(c_size_t) :: cells = 0_c_size_t
        type(c_ptr) :: temperature = c_null_ptr
        type(c_ptr) :: pressure = c_null_ptr
        type(c_ptr) :: y = c_null_ptr
        integer(c_int) :: layout = kinlane_cell_major
        type(c_ptr) :: electron_temperature = c_null_ptr
    end type

    ! Where properties go: c_loc of arrays, or nothing.
    type, bind(c) :: kinlane_properties
        type(c_ptr) :: density = c_null_ptr
        type(c_ptr) :: molar_mass = c_null_ptr
        type(c_ptr) :: cp = c_null_ptr
        type(c_ptr) :: enthalpy = c_null_ptr
        type(c_ptr) :: heat_release = c_null_ptr
    end type

    ! The surroundings of cells of a scheme: c_loc of arrays, or nothing.
    type, bind(c) :: kinlane_conditions
        integer(c_size_t) :: cells = 0_c_size_t
        type(c_ptr) :: temperature = c_null_ptr
        type(c_ptr) :: density = c_null_ptr
        type(c_ptr) :: photolysis = c_null_ptr
        type(c_ptr) :: inputs = c_null_ptr
        type(c_ptr) :: fixed = c_null_ptr
        type(c_ptr) :: source = c_null_ptr
        integer(c_int) :: layout = kinlane_cell_major
    end type

    interface
        function kinlane_abi() bind(c) result(number)
            import
            integer(c_int) :: number
        end function

        function kinlane_version() bind(c) result(text)
            import
            type(c_ptr) :: text
        end function

        function kinlane_methods() bind(c) result(text)
            import
            type(c_ptr) :: text
        end function

        function kinlane_bundled() bind(c) result(text)
            import
            type(c_ptr) :: text
        end function

        function kinlane_error_new() bind(c) result(handle)
            import
            type(c_ptr) :: handle
        end function

        subroutine kinlane_error_free(error) bind(c)
            import
            type(c_ptr), value :: error
        end subroutine

        function kinlane_error_code(error) bind(c) result(code)
            import
            type(c_ptr), value :: error
            integer(c_int) :: code
        end function

        function kinlane_error_text(error) bind(c) result(text)
            import
            type(c_ptr), value :: error
            type(c_ptr) :: text
        end function

        function kinlane_error_cell(error) bind(c) result(number)
            import
            type(c_ptr), value :: error
            integer(c_size_t) :: number
        end function

        function kinlane_options_new() bind(c) result(handle)
            import
            type(c_ptr) :: handle
        end function

        subroutine kinlane_options_free(options) bind(c)
            import
            type(c_ptr), value :: options
        end subroutine

        function kinlane_options_set(options, name, value, error) bind(c) result(code)
            import
            type(c_ptr), value :: options
            character(kind=c_char), intent(in) :: name(*)
            character(kind=c_char), intent(in), optional :: value(*)
            type(c_ptr), value :: error
            integer(c_int) :: code
        end function

        function kinlane_options_set_number(options, name, value, error) bind(c) result(code)
            import
            type(c_ptr), value :: options
            character(kind=c_char), intent(in) :: name(*)
            real(c_double), value :: value
            type(c_ptr), value :: error
            integer(c_int) :: code
        end function

        function kinlane_mechanism_open(name, options, error) bind(c) result(handle)
            import
            character(kind=c_char), intent(in) :: name(*)
            type(c_ptr), value :: options
            type(c_ptr), value :: error
            type(c_ptr) :: handle
        end function

        function kinlane_mechanism_read(name, mechanism, thermo, options, error) bind(c) result(handle)
            import
            character(kind=c_char), intent(in) :: name(*)
            character(kind=c_char), intent(in) :: mechanism(*)
            character(kind=c_char), intent(in), optional :: thermo(*)
            type(c_ptr), value :: options
            type(c_ptr), value :: error
            type(c_ptr) :: handle
        end function

        subroutine kinlane_mechanism_free(mechanism) bind(c)
            import
            type(c_ptr), value :: mechanism
        end subroutine

        function kinlane_mechanism_name(mechanism) bind(c) result(text)
            import
            type(c_ptr), value :: mechanism
            type(c_ptr) :: text
        end function

        function kinlane_mechanism_count(mechanism, list) bind(c) result(number)
            import
            type(c_ptr), value :: mechanism
            integer(c_int), value :: list
            integer(c_size_t) :: number
        end function

        function kinlane_mechanism_item(mechanism, list, index) bind(c) result(text)
            import
            type(c_ptr), value :: mechanism
            integer(c_int), value :: list
            integer(c_size_t), value :: index
            type(c_ptr) :: text
        end function

        function kinlane_mechanism_index(mechanism, list, name, error) bind(c) result(number)
            import
            type(c_ptr), value :: mechanism
            integer(c_int), value :: list
            character(kind=c_char), intent(in) :: name(*)
            type(c_ptr), value :: error
            integer(c_size_t) :: number
        end function

        function kinlane_mechanism_molar_masses(mechanism, masses, error) bind(c) result(code)
            import
            type(c_ptr), value :: mechanism
            real(c_double), intent(inout) :: masses(*)
            type(c_ptr), value :: error
            integer(c_int) :: code
        end function

        function kinlane_mechanism_atoms(mechanism, atoms, error) bind(c) result(code)
            import
            type(c_ptr), value :: mechanism
            real(c_double), intent(inout) :: atoms(*)
            type(c_ptr), value :: error
            integer(c_int) :: code
        end function

        function kinlane_mechanism_stoichiometry(mechanism, reactants, products, error) bind(c) result(code)
            import
            type(c_ptr), value :: mechanism
            real(c_double), intent(inout), optional :: reactants(*)
            real(c_double), intent(inout), optional :: products(*)
            type(c_ptr), value :: error
            integer(c_int) :: code
        end function

        function kinlane_mechanism_mass_fractions(mechanism, moles, y, error) bind(c) result(code)
            import
            type(c_ptr), value :: mechanism
            real(c_double), intent(in) :: moles(*)
            real(c_double), intent(inout) :: y(*)
            type(c_ptr), value :: error
            integer(c_int) :: code
        end function

        function kinlane_mechanism_mixture(mechanism, fuel, oxidizer, phi, y, error) bind(c) result(code)
            import
            type(c_ptr), value :: mechanism
            real(c_double), intent(in) :: fuel(*)
            real(c_double), intent(in) :: oxidizer(*)
            real(c_double), value :: phi
            real(c_double), intent(inout) :: y(*)
            type(c_ptr), value :: error
            integer(c_int) :: code
        end function

        function kinlane_mechanism_equilibrate(mechanism, cells, held, temperature, pressure, y, layout, threads, &
                status, error) bind(c) result(code)
            import
            type(c_ptr), value :: mechanism
            integer(c_size_t), value :: cells
            character(kind=c_char), intent(in) :: held(*)
            real(c_double), intent(inout) :: temperature(*)
            real(c_double), intent(inout) :: pressure(*)
            real(c_double), intent(inout) :: y(*)
            integer(c_int), value :: layout
            integer(c_size_t), value :: threads
            type(c_ptr), value :: status
            type(c_ptr), value :: error
            integer(c_int) :: code
        end function

        function kinlane_solver_new(mechanism, options, error) bind(c) result(handle)
            import
            type(c_ptr), value :: mechanism
            type(c_ptr), value :: options
            type(c_ptr), value :: error
            type(c_ptr) :: handle
        end function

        subroutine kinlane_solver_free(solver) bind(c)
            import
            type(c_ptr), value :: solver
        end subroutine

        function kinlane_solver_prepare(solver, cells, error) bind(c) result(code)
            import
            type(c_ptr), value :: solver
            integer(c_size_t), value :: cells
            type(c_ptr), value :: error
            integer(c_int) :: code
        end function

        function kinlane_solver_info(solver, what, buffer, length, error) bind(c) result(number)
            import
            type(c_ptr), value :: solver
            character(kind=c_char), intent(in) :: what(*)
            character(kind=c_char), intent(inout) :: buffer(*)
            integer(c_size_t), value :: length
            type(c_ptr), value :: error
            integer(c_size_t) :: number
        end function

        subroutine kinlane_solver_stop(solver, stop) bind(c)
            import
            type(c_ptr), value :: solver
            integer(c_int), value :: stop
        end subroutine

        function kinlane_solver_progress(solver) bind(c) result(number)
            import
            type(c_ptr), value :: solver
            integer(c_size_t) :: number
        end function

        function kinlane_status_text(status) bind(c) result(text)
            import
            integer(c_int), value :: status
            type(c_ptr) :: text
        end function

        function kinlane_advance(solver, cells, temperature, pressure, y, layout, dt, extras, report, &
                error) bind(c) result(code)
            import
            type(c_ptr), value :: solver
            integer(c_size_t), value :: cells
            real(c_double), intent(inout) :: temperature(*)
            real(c_double), intent(inout) :: pressure(*)
            real(c_double), intent(inout) :: y(*)
            integer(c_int), value :: layout
            real(c_double), value :: dt
            type(kinlane_extras), intent(in), optional :: extras
            type(kinlane_report), intent(inout), optional :: report
            type(c_ptr), value :: error
            integer(c_int) :: code
        end function

        function kinlane_follower_new(mechanism, options, error) bind(c) result(handle)
            import
            type(c_ptr), value :: mechanism
            type(c_ptr), value :: options
            type(c_ptr), value :: error
            type(c_ptr) :: handle
        end function

        function kinlane_follow(solver, cells, temperature, pressure, y, layout, dt, notes, extras, report, &
                error) bind(c) result(code)
            import
            type(c_ptr), value :: solver
            integer(c_size_t), value :: cells
            real(c_double), intent(inout) :: temperature(*)
            real(c_double), intent(inout) :: pressure(*)
            real(c_double), intent(inout) :: y(*)
            integer(c_int), value :: layout
            real(c_double), value :: dt
            type(kinlane_notes), intent(in) :: notes
            type(kinlane_extras), intent(in), optional :: extras
            type(kinlane_report), intent(inout), optional :: report
            type(c_ptr), value :: error
            integer(c_int) :: code
        end function

        function kinlane_follow_along(solver, cells, temperature, pressure, y, layout, dt, history, notes, extras, report, &
                error) bind(c) result(code)
            import
            type(c_ptr), value :: solver
            integer(c_size_t), value :: cells
            real(c_double), intent(inout) :: temperature(*)
            real(c_double), intent(inout) :: pressure(*)
            real(c_double), intent(inout) :: y(*)
            integer(c_int), value :: layout
            real(c_double), value :: dt
            type(kinlane_history), intent(in) :: history
            type(kinlane_notes), intent(in) :: notes
            type(kinlane_extras), intent(in), optional :: extras
            type(kinlane_report), intent(inout), optional :: report
            type(c_ptr), value :: error
            integer(c_int) :: code
        end function

        function kinlane_continuation_new(solver, cells, error) bind(c) result(handle)
            import
            type(c_ptr), value :: solver
            integer(c_size_t), value :: cells
            type(c_ptr), value :: error
            type(c_ptr) :: handle
        end function

        subroutine kinlane_continuation_free(continuation) bind(c)
            import
            type(c_ptr), value :: continuation
        end subroutine

        function kinlane_continuation_size(continuation) bind(c) result(number)
            import
            type(c_ptr), value :: continuation
            integer(c_size_t) :: number
        end function

        function kinlane_continuation_solver(continuation) bind(c) result(number)
            import
            type(c_ptr), value :: continuation
            integer(c_int64_t) :: number
        end function

        function kinlane_continuation_save(continuation, numbers, error) bind(c) result(code)
            import
            type(c_ptr), value :: continuation
            real(c_double), intent(inout) :: numbers(*)
            type(c_ptr), value :: error
            integer(c_int) :: code
        end function

        function kinlane_continuation_load(continuation, numbers, solver, error) bind(c) result(code)
            import
            type(c_ptr), value :: continuation
            real(c_double), intent(in) :: numbers(*)
            integer(c_int64_t), value :: solver
            type(c_ptr), value :: error
            integer(c_int) :: code
        end function

        function kinlane_rates(solver, states, wdot, jacobian, error) bind(c) result(code)
            import
            type(c_ptr), value :: solver
            type(kinlane_states), intent(in) :: states
            real(c_double), intent(inout) :: wdot(*)
            real(c_double), intent(inout), optional :: jacobian(*)
            type(c_ptr), value :: error
            integer(c_int) :: code
        end function

        function kinlane_rates_of_progress(solver, states, progress, error) bind(c) result(code)
            import
            type(c_ptr), value :: solver
            type(kinlane_states), intent(in) :: states
            real(c_double), intent(inout) :: progress(*)
            type(c_ptr), value :: error
            integer(c_int) :: code
        end function

        function kinlane_gas_properties(solver, states, properties, error) bind(c) result(code)
            import
            type(c_ptr), value :: solver
            type(kinlane_states), intent(in) :: states
            type(kinlane_properties), intent(in) :: properties
            type(c_ptr), value :: error
            integer(c_int) :: code
        end function

        function kinlane_species_properties(solver, states, enthalpy, cp, error) bind(c) result(code)
            import
            type(c_ptr), value :: solver
            type(kinlane_states), intent(in) :: states
            real(c_double), intent(inout) :: enthalpy(*)
            real(c_double), intent(inout) :: cp(*)
            type(c_ptr), value :: error
            integer(c_int) :: code
        end function

        function kinlane_temperatures(solver, states, energy, temperature, error) bind(c) result(code)
            import
            type(c_ptr), value :: solver
            type(kinlane_states), intent(in) :: states
            real(c_double), intent(in) :: energy(*)
            real(c_double), intent(inout) :: temperature(*)
            type(c_ptr), value :: error
            integer(c_int) :: code
        end function

        function kinlane_scheme_open(name, options, error) bind(c) result(handle)
            import
            character(kind=c_char), intent(in) :: name(*)
            type(c_ptr), value :: options
            type(c_ptr), value :: error
            type(c_ptr) :: handle
        end function

        function kinlane_scheme_read(name, scheme, options, error) bind(c) result(handle)
            import
            character(kind=c_char), intent(in) :: name(*)
            character(kind=c_char), intent(in) :: scheme(*)
            type(c_ptr), value :: options
            type(c_ptr), value :: error
            type(c_ptr) :: handle
        end function

        subroutine kinlane_scheme_free(scheme) bind(c)
            import
            type(c_ptr), value :: scheme
        end subroutine

        function kinlane_scheme_name(scheme) bind(c) result(text)
            import
            type(c_ptr), value :: scheme
            type(c_ptr) :: text
        end function

        function kinlane_scheme_is_star(scheme) bind(c) result(number)
            import
            type(c_ptr), value :: scheme
            integer(c_int) :: number
        end function

        function kinlane_scheme_count(scheme, list) bind(c) result(number)
            import
            type(c_ptr), value :: scheme
            integer(c_int), value :: list
            integer(c_size_t) :: number
        end function

        function kinlane_scheme_item(scheme, list, index) bind(c) result(text)
            import
            type(c_ptr), value :: scheme
            integer(c_int), value :: list
            integer(c_size_t), value :: index
            type(c_ptr) :: text
        end function

        function kinlane_scheme_index(scheme, list, name, error) bind(c) result(number)
            import
            type(c_ptr), value :: scheme
            integer(c_int), value :: list
            character(kind=c_char), intent(in) :: name(*)
            type(c_ptr), value :: error
            integer(c_size_t) :: number
        end function

        function kinlane_scheme_weights(scheme, weights, error) bind(c) result(code)
            import
            type(c_ptr), value :: scheme
            real(c_double), intent(inout) :: weights(*)
            type(c_ptr), value :: error
            integer(c_int) :: code
        end function

        function kinlane_scheme_mass_excesses(scheme, excesses, error) bind(c) result(code)
            import
            type(c_ptr), value :: scheme
            real(c_double), intent(inout) :: excesses(*)
            type(c_ptr), value :: error
            integer(c_int) :: code
        end function

        function kinlane_scheme_usual_inputs(scheme, inputs, error) bind(c) result(code)
            import
            type(c_ptr), value :: scheme
            real(c_double), intent(inout) :: inputs(*)
            type(c_ptr), value :: error
            integer(c_int) :: code
        end function

        function kinlane_scheme_solver_new(scheme, options, error) bind(c) result(handle)
            import
            type(c_ptr), value :: scheme
            type(c_ptr), value :: options
            type(c_ptr), value :: error
            type(c_ptr) :: handle
        end function

        function kinlane_scheme_advance(solver, conditions, amounts, dt, extras, report, error) bind(c) result(code)
            import
            type(c_ptr), value :: solver
            type(kinlane_conditions), intent(in) :: conditions
            real(c_double), intent(inout) :: amounts(*)
            real(c_double), value :: dt
            type(kinlane_extras), intent(in), optional :: extras
            type(kinlane_report), intent(inout), optional :: report
            type(c_ptr), value :: error
            integer(c_int) :: code
        end function

        function kinlane_zones_new(scheme, options, error) bind(c) result(handle)
            import
            type(c_ptr), value :: scheme
            type(c_ptr), value :: options
            type(c_ptr), value :: error
            type(c_ptr) :: handle
        end function

        function kinlane_zones_advance(solver, cells, temperature, density, amounts, layout, dt, extras, report, &
                error) bind(c) result(code)
            import
            type(c_ptr), value :: solver
            integer(c_size_t), value :: cells
            real(c_double), intent(inout) :: temperature(*)
            real(c_double), intent(inout) :: density(*)
            real(c_double), intent(inout) :: amounts(*)
            integer(c_int), value :: layout
            real(c_double), value :: dt
            type(kinlane_extras), intent(in), optional :: extras
            type(kinlane_report), intent(inout), optional :: report
            type(c_ptr), value :: error
            integer(c_int) :: code
        end function

        function kinlane_scheme_rates(solver, conditions, amounts, constants, tendencies, error) bind(c) result(code)
            import
            type(c_ptr), value :: solver
            type(kinlane_conditions), intent(in) :: conditions
            real(c_double), intent(in) :: amounts(*)
            real(c_double), intent(inout), optional :: constants(*)
            real(c_double), intent(inout), optional :: tendencies(*)
            type(c_ptr), value :: error
            integer(c_int) :: code
        end function

        function kinlane_scheme_detail(solver, conditions, amounts, progress, jacobian, error) bind(c) result(code)
            import
            type(c_ptr), value :: solver
            type(kinlane_conditions), intent(in) :: conditions
            real(c_double), intent(in) :: amounts(*)
            real(c_double), intent(inout), optional :: progress(*)
            real(c_double), intent(inout), optional :: jacobian(*)
            type(c_ptr), value :: error
            integer(c_int) :: code
        end function
    end interface

contains

    ! A text of C, such as that of kinlane_error_text.
    function kinlane_text(text) result(copy)
        type(c_ptr), intent(in) :: text
        character(:), allocatable :: copy
        character(kind=c_char), pointer :: letters(:)
        integer :: length, i

        copy = ""
        if (.not. c_associated(text)) return
        length = 0
        do
            call c_f_pointer(text, letters, [length + 1])
            if (letters(length + 1) == c_null_char) exit
            length = length + 1
        end do
        copy = repeat(" ", length)
        do i = 1, length
            copy(i:i) = letters(i)
        end do
    end function
end module
