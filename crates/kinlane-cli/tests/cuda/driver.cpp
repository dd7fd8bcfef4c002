// A CUDA driver and NVRTC for machines without a card: kernels are compiled by the host's compiler, from the very text,
// and run on its processors. The tests use it to see what the program asks of the real ones: which functions, with
// which arguments, in which order.
//
// It is as unkind as the real ones may be. What is put into a stream is done when the stream is waited for, no earlier;
// a copy from ordinary memory arrives when somebody waits for the whole device; new memory holds garbage; the threads
// of a block take turns at every atomic operation and barrier, blocks run at the same time; a barrier that some threads
// of a block leave out ends the program.
//
// STAND_IN_MEMORY [MiB], STAND_IN_LAUNCHES (kernels until the device is lost, with the code STAND_IN_LOST) and
// STAND_IN_VERSION set what it can do, STAND_IN_REFUSES what its compiler cannot;
// STAND_IN_SEEN names a file to which it writes at the end what it was asked for.

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fstream>
#include <functional>
#include <map>
#include <mutex>
#include <setjmp.h>
#include <string>
#include <sys/mman.h>
#include <thread>
#include <ucontext.h>
#include <unistd.h>
#include <vector>

#define API extern "C" int

enum { OK = 0, INVALID = 1, OUT_OF_MEMORY = 2, LOST = 719 };

// What every kernel's text starts with. A kernel sees where it is through these names.
static const char PRELUDE[] = R"(
#include <cmath>
#include <cstring>
#include <cstdint>
#include <tuple>
struct Where { unsigned x; };
extern "C" { thread_local Where threadIdx, blockIdx, blockDim, gridDim; void (*stand_in_wait)(unsigned); }
extern "C" Where *stand_in_where(int i) { Where *all[] = {&threadIdx, &blockIdx, &blockDim, &gridDim}; return all[i]; }
#define __global__
#define __device__
#define __forceinline__ inline
#define __noinline__ __attribute__((noinline))
#define __shared__ static thread_local
#define __launch_bounds__(threads, groups)
template <class T> static inline T __ldg(const T *at) { return *at; }
static inline void __syncthreads() { stand_in_wait(~0u); }
static inline void __syncwarp(unsigned mask = ~0u) { blockDim.x <= 32 ? stand_in_wait(mask) : __builtin_trap(); }
static thread_local bool stand_in_said[32];
static inline unsigned __ballot_sync(unsigned mask, int x) {
    unsigned all = 0;
    stand_in_said[threadIdx.x] = x;
    __syncwarp(mask);
    for (unsigned i = 0; i < 32; ++i) all |= (unsigned)stand_in_said[i] << i;
    __syncwarp(mask);
    return all & mask;
}
static inline int __any_sync(unsigned mask, int x) { return __ballot_sync(mask, x) != 0; }
static inline int __all_sync(unsigned mask, int x) { return __ballot_sync(mask, x) == mask; }
static thread_local double stand_in_given[32];
static inline double __shfl_sync(unsigned mask, double x, int from, int width) {
    stand_in_given[threadIdx.x] = x;
    __syncwarp(mask);
    const double given = stand_in_given[threadIdx.x / width * width + from];
    __syncwarp(mask);
    return given;
}
static inline unsigned atomicAdd(unsigned *at, unsigned x) {
    stand_in_wait(0);
    return __atomic_fetch_add(at, x, __ATOMIC_RELAXED);
}
static inline double __longlong_as_double(long long u) { double x; memcpy(&x, &u, 8); return x; }
static inline long long __double_as_longlong(double x) { long long u; memcpy(&u, &x, 8); return u; }
static inline float __int_as_float(int u) { float x; memcpy(&x, &u, 4); return x; }
static inline int __float_as_int(float x) { int u; memcpy(&u, &x, 4); return u; }
)";

// What it ends with, for every kernel: calls it with arguments of eight bytes each.
static const char CALL[] = R"(
template <class... A, std::size_t... I>
static void stand_in_call(void (*f)(A...), const uint64_t *a, std::index_sequence<I...>) {
    auto read = [](auto *x, const uint64_t *from) { memcpy(x, from, sizeof *x); };
    std::tuple<A...> values;
    (read(&std::get<I>(values), a + I), ...);
    f(std::get<I>(values)...);
}
template <class... A> static void stand_in_call(void (*f)(A...), const uint64_t *a) {
    stand_in_call(f, a, std::index_sequence_for<A...>());
}
template <class... A> static constexpr unsigned stand_in_count(void (*)(A...)) { return sizeof...(A); }
)";

static void fail(const char *what) {
    fprintf(stderr, "stand-in: %s\n", what);
    _exit(99);
}

// ---- the device ----

struct Stream { std::vector<std::function<int()>> work; };
struct Module { void *library; };
struct Kernel {
    void (*call)(const uint64_t *);
    unsigned count;
    void *module;
    bool ceiling; // made to keep a card busy: one block of it is enough here
};

static std::mutex lock;
static std::map<uint64_t, size_t> memory;
static std::map<void *, size_t> pinned;
static size_t used;
static std::vector<Stream *> streams;
static bool lost;
static thread_local int current;

static struct Seen {
    std::atomic<unsigned> launches{0}, blocks{0}, largest_block{0}, kernels{0}, allocated{0}, freed{0};
    ~Seen() {
        const char *file = getenv("STAND_IN_SEEN");
        if (!file) return;
        std::ofstream(file) << "launches " << launches << "\nblocks " << blocks << "\nblock " << largest_block
                            << "\nkernels " << kernels << "\nkept " << allocated - freed << "\n";
    }
} seen;

static size_t limit(const char *name, size_t otherwise) {
    const char *text = getenv(name);
    return text ? strtoull(text, nullptr, 10) : otherwise;
}

// What a card that is lost says: by itself, or as one whose driver stops kernels that take too long.
static int lost_code() { return (int)limit("STAND_IN_LOST", LOST); }

static void need_context() {
    if (!current) fail("no context is current in this thread");
}

// Whether `bytes` from `at` on lie within one allocation.
static bool inside(uint64_t at, size_t bytes) {
    auto m = memory.upper_bound(at);
    return m != memory.begin() && (--m, at + bytes <= m->first + m->second);
}

static bool is_pinned(const void *at, size_t bytes) {
    auto m = pinned.upper_bound(const_cast<void *>(at));
    return m != pinned.begin() && (--m, (const char *)at + bytes <= (const char *)m->first + m->second);
}

// ---- a block: its threads take turns ----

enum State { READY, AT_BARRIER, ENDED };

// A thread begins by `swapcontext`; after that it and the scheduler jump, for `swapcontext` calls the system each time.
struct Thread {
    ucontext_t begin;
    jmp_buf at;
    State state = READY;
    unsigned mask = 0; // the threads for which it waits at a barrier
    bool begun = false;
};
struct Block {
    std::vector<Thread> threads;
    ucontext_t begin;
    jmp_buf scheduler;
    unsigned now;
};
static thread_local Block *block;
static const size_t STACK = 256 << 10;

// Waits for the threads of a mask, for the whole block where it has all bits; with an empty mask lets others go on.
static void wait(unsigned mask) {
    Thread &t = block->threads[block->now];
    if (mask && block->threads.size() <= 32 && !(mask >> block->now & 1)) fail("a thread waits for others, not for itself");
    t.state = mask ? AT_BARRIER : READY, t.mask = mask;
    if (!_setjmp(t.at)) _longjmp(block->scheduler, 1);
}

static thread_local const Kernel *running;
static thread_local const uint64_t *given;

static void thread_of_a_block() {
    running->call(given);
    block->threads[block->now].state = ENDED;
    _longjmp(block->scheduler, 1);
}

static void resume(Block *b) {
    Thread &t = b->threads[b->now];
    if (_setjmp(b->scheduler)) return;
    if (t.begun) _longjmp(t.at, 1);
    t.begun = true;
    swapcontext(&b->begin, &t.begin);
}

static void run_block(const Kernel &k, const std::vector<uint64_t> &arguments, unsigned index, unsigned grid, unsigned size) {
    typedef void *(*WhereOf)(int);
    WhereOf where = (WhereOf)dlsym(k.module, "stand_in_where");
    unsigned *at[4];
    for (int i = 0; i < 4; ++i) at[i] = (unsigned *)where(i);
    *at[1] = index, *at[2] = size, *at[3] = grid;
    Block b;
    b.threads.resize(size);
    block = &b, running = &k, given = arguments.data();
    char *stacks = (char *)mmap(nullptr, size * STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (stacks == MAP_FAILED) fail("no memory for stacks");
    for (unsigned i = 0; i < size; ++i) {
        ucontext_t &begin = b.threads[i].begin;
        getcontext(&begin);
        begin.uc_stack.ss_sp = stacks + i * STACK;
        begin.uc_stack.ss_size = STACK;
        makecontext(&begin, thread_of_a_block, 0);
    }
    for (;;) {
        unsigned ran = 0, waiting = 0;
        for (b.now = 0; b.now < size; ++b.now) {
            if (b.threads[b.now].state != READY) continue;
            *at[0] = b.now;
            resume(&b);
            ++ran;
        }
        unsigned freed = 0;
        for (Thread &t : b.threads) {
            if (t.state != AT_BARRIER) continue;
            ++waiting;
            const unsigned mask = t.mask;
            auto awaited = [&](unsigned i) { return size > 32 || mask >> i & 1; };
            bool all = true;
            for (unsigned i = 0; i < size; ++i) {
                Thread &o = b.threads[i];
                all &= !awaited(i) || (o.state == AT_BARRIER && o.mask == mask);
            }
            for (unsigned i = 0; all && i < size; ++i)
                if (awaited(i)) b.threads[i].state = READY, ++freed;
        }
        if (!ran && !freed) {
            if (waiting) fail("some threads of a block never come to the barrier at which others wait");
            break;
        }
    }
    munmap(stacks, size * STACK);
}

static int run_grid(const Kernel &k, const std::vector<uint64_t> &arguments, unsigned grid, unsigned size) {
    *(void (**)(unsigned))dlsym(k.module, "stand_in_wait") = wait;
    std::vector<std::thread> blocks;
    for (unsigned i = 0; i < grid; ++i) {
        blocks.emplace_back([&, i] { run_block(k, arguments, i, grid, size); });
        if (blocks.size() == 8 || i + 1 == grid) {
            for (std::thread &t : blocks) t.join();
            blocks.clear();
        }
    }
    return OK;
}

static int finish(Stream &s) {
    std::vector<std::function<int()>> work;
    work.swap(s.work);
    for (auto &f : work) {
        if (lost) return lost_code();
        if (int code = f()) return code;
    }
    return lost ? lost_code() : OK;
}

// ---- the driver's functions ----

API cuInit(unsigned) { return OK; }
API cuDriverGetVersion(int *v) { return *v = (int)limit("STAND_IN_VERSION", 12040), OK; }
API cuDeviceGetCount(int *n) { return *n = 1, OK; }
API cuDeviceGet(int *d, int i) { return *d = i, i == 0 ? OK : 101; }
API cuDeviceGetName(char *name, int len, int) { return snprintf(name, len, "stand-in"), OK; }
API cuDeviceTotalMem_v2(size_t *bytes, int) { return *bytes = limit("STAND_IN_MEMORY", 1024) << 20, OK; }
API cuDeviceGetAttribute(int *value, int which, int) {
    switch (which) {
    case 16: *value = 2; break;       // multiprocessors
    case 75: *value = 9; break;       // compute capability
    case 76: *value = 0; break;
    case 81: *value = 233472; break;  // shared memory of a multiprocessor
    default: fprintf(stderr, "stand-in: attribute %d\n", which); return INVALID;
    }
    return OK;
}
API cuDevicePrimaryCtxRetain(void **c, int) { return *c = (void *)&seen, (int)limit("STAND_IN_RETAIN", OK); }
API cuDevicePrimaryCtxRelease_v2(int) { return OK; }
API cuCtxPushCurrent_v2(void *c) { return current += c == (void *)&seen, OK; }
API cuCtxPopCurrent_v2(void **c) {
    need_context();
    return --current, *c = (void *)&seen, OK;
}
// As the driver, it has no name for codes that it does not know.
API cuGetErrorName(int code, const char **s) {
    switch (code) {
    case OUT_OF_MEMORY: *s = "CUDA_ERROR_OUT_OF_MEMORY"; break;
    case 46: *s = "CUDA_ERROR_DEVICE_UNAVAILABLE"; break;
    case 209: *s = "CUDA_ERROR_NO_BINARY_FOR_GPU"; break;
    case 702: *s = "CUDA_ERROR_LAUNCH_TIMEOUT"; break;
    case LOST: *s = "CUDA_ERROR_LAUNCH_FAILED"; break;
    default: return *s = nullptr, INVALID;
    }
    return OK;
}

API cuStreamCreate(void **s, unsigned) {
    need_context();
    std::lock_guard<std::mutex> hold(lock);
    streams.push_back(new Stream);
    return *s = streams.back(), OK;
}
API cuStreamDestroy_v2(void *s) {
    if (!((Stream *)s)->work.empty()) fail("a stream ends with work in it");
    return OK;
}
API cuEventCreate(Stream ***e, unsigned) {
    need_context();
    return *e = new Stream *{}, OK;
}
API cuEventRecord(Stream **e, Stream *s) { return *e = s, OK; }
API cuEventSynchronize(Stream **e) {
    need_context();
    std::lock_guard<std::mutex> hold(lock);
    return *e ? finish(**e) : OK;
}
API cuEventDestroy_v2(Stream **e) { return delete e, OK; }

API cuMemAlloc_v2(uint64_t *at, size_t bytes) {
    need_context();
    std::lock_guard<std::mutex> hold(lock);
    if (used + bytes > limit("STAND_IN_MEMORY", 1024) << 20) return OUT_OF_MEMORY;
    void *p = malloc(bytes);
    memset(p, 0x7e, bytes);
    used += bytes;
    ++seen.allocated;
    memory[*at = (uint64_t)p] = bytes;
    return OK;
}
API cuMemFree_v2(uint64_t at) {
    need_context();
    std::lock_guard<std::mutex> hold(lock);
    if (!memory.count(at)) fail("memory is freed that was not given");
    for (Stream *s : streams)
        if (!s->work.empty()) fail("memory is freed while a stream has work");
    used -= memory[at];
    ++seen.freed;
    memory.erase(at);
    free((void *)at);
    return OK;
}
API cuMemHostAlloc(void **at, size_t bytes, unsigned) {
    need_context();
    pinned[*at = malloc(bytes)] = bytes;
    memset(*at, 0x7e, bytes);
    ++seen.allocated;
    return OK;
}
API cuMemFreeHost(void *at) {
    if (!pinned.count(at)) fail("pinned memory is freed that was not given");
    pinned.erase(at);
    ++seen.freed;
    free(at);
    return OK;
}
API cuMemcpyHtoDAsync_v2(uint64_t to, const void *from, size_t bytes, void *s) {
    need_context();
    std::lock_guard<std::mutex> hold(lock);
    if (!inside(to, bytes)) fail("a copy to the device is too long");
    // Ordinary memory is copied aside at once, pinned memory is read when its turn comes.
    std::string held = is_pinned(from, bytes) ? std::string() : std::string((const char *)from, bytes);
    bool now = held.size() == bytes;
    ((Stream *)s)->work.push_back([=] { return memcpy((void *)to, now ? held.data() : from, bytes), OK; });
    return OK;
}
API cuMemcpyDtoHAsync_v2(void *to, uint64_t from, size_t bytes, void *s) {
    need_context();
    std::lock_guard<std::mutex> hold(lock);
    if (!inside(from, bytes)) fail("a copy to the host is too long");
    if (!is_pinned(to, bytes)) fail("a copy to memory that is not pinned");
    ((Stream *)s)->work.push_back([=] { return memcpy(to, (void *)from, bytes), OK; });
    return OK;
}
API cuMemsetD8Async(uint64_t at, unsigned char value, size_t bytes, void *s) {
    need_context();
    std::lock_guard<std::mutex> hold(lock);
    if (!inside(at, bytes)) fail("more is cleared than was given");
    ((Stream *)s)->work.push_back([=] { return memset((void *)at, value, bytes), OK; });
    return OK;
}

API cuModuleLoadData(void **m, const void *image) {
    need_context();
    if (access((const char *)image, R_OK)) return 209; // nothing that this card can run
    void *library = dlopen((const char *)image, RTLD_NOW | RTLD_LOCAL);
    if (!library) fail(dlerror());
    return *m = library, OK;
}
API cuModuleUnload(void *) { return OK; }
API cuModuleGetFunction(void **f, void *m, const char *name) {
    std::string call = std::string("call_") + name, count = std::string("count_") + name;
    auto c = (void (*)(const uint64_t *))dlsym(m, call.c_str());
    auto n = (unsigned (*)())dlsym(m, count.c_str());
    if (!c || !n) return 500;
    ++seen.kernels;
    return *f = new Kernel{c, n(), m, !strcmp(name, "multiply_adds") || !strcmp(name, "copies")}, OK;
}
API cuOccupancyMaxActiveBlocksPerMultiprocessor(int *n, void *, int, size_t) { return *n = 2, OK; }
// A kernel of a card that needs many registers.
API cuFuncGetAttribute(int *value, int which, void *) {
    need_context();
    switch (which) {
    case 1: *value = 28160; break;  // bytes that a block shares
    case 3: *value = 16; break;     // bytes of a thread that are not in registers
    case 4: *value = 168; break;    // registers
    default: return INVALID;
    }
    return OK;
}
API cuLaunchKernel(Kernel *k, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared,
                   void *s, void **arguments, void **) {
    need_context();
    std::lock_guard<std::mutex> hold(lock);
    if (gx == 0 || bx == 0 || bx > 1024 || gy * gz * by * bz != 1 || shared) return INVALID;
    if (++seen.launches > limit("STAND_IN_LAUNCHES", ~0u)) lost = true;
    seen.blocks += gx;
    if (bx > seen.largest_block) seen.largest_block = bx;
    std::vector<uint64_t> values(k->count);
    for (unsigned i = 0; i < k->count; ++i) memcpy(&values[i], arguments[i], 8);
    if (limit("STAND_IN_IDLE", 0)) return OK; // a card that does nothing
    ((Stream *)s)->work.push_back([=] { return run_grid(*k, values, k->ceiling ? 1 : gx, bx); });
    return OK;
}

// ---- NVRTC: the image of a kernel is the path of a library ----

struct Program { std::string source, log, image; };

API nvrtcVersion(int *major, int *minor) { return *major = 12, *minor = 4, OK; }
API nvrtcCreateProgram(Program **p, const char *source, const char *, int, const char **, const char **) {
    return *p = new Program{source, "", ""}, OK;
}
API nvrtcCompileProgram(Program *p, int, const char **) {
    if (limit("STAND_IN_REFUSES", 0)) return p->log = "kernel.cu(7): error: made to be refused", 6;
    const char *folder = getenv("KINLANE_CACHE");
    std::string base = std::string(folder ? folder : "/tmp") + "/kernelXXXXXX";
    int file = mkstemp(&base[0]);
    if (file < 0) return 1;
    close(file);
    std::string text = PRELUDE + p->source + CALL;
    for (const char *name : {"advance", "rates", "multiply_adds", "copies"}) {
        if (p->source.find(std::string("KERNEL void ") + name + "(") == std::string::npos) continue;
        std::string n = name;
        text += "extern \"C\" void call_" + n + "(const uint64_t *a) { stand_in_call(" + n + ", a); }\n";
        text += "extern \"C\" unsigned count_" + n + "() { return stand_in_count(" + n + "); }\n";
    }
    std::ofstream(base + ".cpp") << text;
    // As --fmad=false: nothing is contracted. A kernel may have the name of a function of the C library.
    std::string command = "c++ -std=c++17 -O1 -march=native -ffp-contract=off -w -fmax-errors=3 -fPIC -shared -Wl,-Bsymbolic -o " + base + ".so " + base +
                          ".cpp > " + base + ".log 2>&1";
    int code = system(command.c_str());
    std::ifstream log(base + ".log");
    p->log.assign(std::istreambuf_iterator<char>(log), {});
    p->image = base + ".so";
    return code ? 6 : OK;
}
API nvrtcGetProgramLogSize(Program *p, size_t *n) { return *n = p->log.size() + 1, OK; }
API nvrtcGetProgramLog(Program *p, char *out) { return memcpy(out, p->log.c_str(), p->log.size() + 1), OK; }
API nvrtcGetCUBINSize(Program *p, size_t *n) { return *n = p->image.size() + 1, OK; }
API nvrtcGetCUBIN(Program *p, char *out) { return memcpy(out, p->image.c_str(), p->image.size() + 1), OK; }
API nvrtcGetPTXSize(Program *, size_t *) { return 1; }
API nvrtcGetPTX(Program *, char *) { return 1; }
API nvrtcDestroyProgram(Program **p) { return delete *p, *p = nullptr, OK; }
