// As host.c, in C++: handles that free themselves, errors as exceptions, and fields with one species after the other.
// c++ -std=c++11 -I../include host.cpp -L../../../target/release -lkinlane -o host
#include "kinlane.h"
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <vector>

namespace {

struct Free {
    void operator()(kinlane_error *e) const { kinlane_error_free(e); }
    void operator()(kinlane_mechanism *m) const { kinlane_mechanism_free(m); }
    void operator()(kinlane_options *o) const { kinlane_options_free(o); }
    void operator()(kinlane_solver *s) const { kinlane_solver_free(s); }
};
template <class T> using Handle = std::unique_ptr<T, Free>;

void check(const Handle<kinlane_error> &error)
{
    if (kinlane_error_code(error.get()) != KINLANE_OK)
        throw std::runtime_error(kinlane_error_text(error.get()));
}

void run()
{
    const std::size_t n = 101;
    Handle<kinlane_error> error(kinlane_error_new());
    Handle<kinlane_mechanism> gas(kinlane_mechanism_open("h2", nullptr, error.get()));
    check(error);
    Handle<kinlane_options> options(kinlane_options_new());
    kinlane_options_set_number(options.get(), "threads", 1, error.get());
    check(error);
    Handle<kinlane_solver> solver(kinlane_solver_new(gas.get(), options.get(), error.get()));
    check(error);

    const std::size_t k = kinlane_mechanism_count(gas.get(), KINLANE_SPECIES);
    std::vector<double> temperature(n), pressure(n, 1e5), y(k * n, 0.0); // y[species * n + cell]
    for (std::size_t i = 0; i < n; i++)
        temperature[i] = 1000.0 + 5.0 * static_cast<double>(i);
    const auto fill = [&](const char *name, double fraction) {
        const std::size_t s = kinlane_mechanism_index(gas.get(), KINLANE_SPECIES, name, error.get());
        check(error);
        for (std::size_t i = 0; i < n; i++)
            y[s * n + i] = fraction;
    };
    fill("H2", 0.0285), fill("O2", 0.2264), fill("N2", 0.7451);

    kinlane_report report;
    for (int step = 0; step < 100; step++) {
        kinlane_advance(solver.get(), n, temperature.data(), pressure.data(), y.data(), KINLANE_SPECIES_MAJOR, 1e-6,
                        nullptr, &report, error.get());
        check(error);
        if (report.failed > 0)
            throw std::runtime_error("cells failed");
    }
    for (std::size_t i = 0; i < n; i += 20)
        std::printf("%6.0f K: %7.2f K after 1e-4 s\n", 1000.0 + 5.0 * static_cast<double>(i), temperature[i]);
}

} // namespace

int main()
{
    try {
        run();
    } catch (const std::exception &e) {
        std::fprintf(stderr, "%s\n", e.what());
        return 1;
    }
    return 0;
}
