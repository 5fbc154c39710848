//! System calls that no test and no agent needs, and by which a child could reach past its namespaces: the keyring, the
//! machine's clock, modules and tracing, sockets that know no network namespace, and typing into a terminal. They are refused, not fatal. Owns the filter; it must
//! not grow into a list of what is allowed, which would break programs that nobody thought of.

use seccompiler::sock_filter;

const LOAD: u16 = 0x20;
const JUMP_EQUAL: u16 = 0x15;
const JUMP_ABOVE: u16 = 0x35;
const RETURN: u16 = 0x06;

const ALLOW: u32 = 0x7fff_0000;
/// With the error number in its lower half.
const FAIL: u32 = 0x0005_0000;

/// Offsets in what the kernel shows of a call.
const NUMBER: u32 = 0;
const ARCHITECTURE: u32 = 4;
const FIRST_ARGUMENT: u32 = 16;
const SECOND_ARGUMENT: u32 = 24;

/// Types a character into a terminal; pastes into a console.
const TERMINAL: [u32; 2] = [0x5412, 0x541c];

/// Families of sockets that reach the same from within every network namespace: the hypervisor of a mainframe and of any
/// other machine, radio tags, and the other processors of a phone.
const FOREIGN: [u32; 4] = [32, 39, 40, 42];

/// The calls of one architecture, by number.
struct Calls<'a> {
    refused: &'a [u32],
    ioctl: u32,
    socket: u32,
}

#[cfg(target_arch = "x86_64")]
mod calls {
    use super::Calls;

    pub(super) const OWN: u32 = 0xc000_003e;
    /// Calls of another kind that have the same name for the architecture.
    pub(super) const ABOVE: Option<u32> = Some(0x4000_0000);
    /// The 32-bit calls of the same machine. One of them (102) is for all that sockets do, and hides from a filter which
    /// family is meant.
    pub(super) const OTHER: Option<(u32, Calls<'_>)> = Some((
        0x4000_0003,
        Calls {
            refused: &[
                25, 51, 79, 87, 88, 101, 102, 110, 115, 128, 129, 131, 264, 283, 286, 287, 288,
                336, 342, 350, 357, 374, 404,
            ],
            ioctl: 54,
            socket: 359,
        },
    ));
    pub(super) const MORE: [i64; 2] = [libc::SYS_iopl, libc::SYS_ioperm];
}

#[cfg(target_arch = "aarch64")]
mod calls {
    use super::Calls;

    pub(super) const OWN: u32 = 0xc000_00b7;
    pub(super) const ABOVE: Option<u32> = None;
    pub(super) const OTHER: Option<(u32, Calls<'_>)> = None;
    pub(super) const MORE: [i64; 0] = [];
}

const REFUSED: [i64; 20] = [
    libc::SYS_acct,
    libc::SYS_add_key,
    libc::SYS_bpf,
    libc::SYS_clock_settime,
    libc::SYS_delete_module,
    libc::SYS_finit_module,
    libc::SYS_init_module,
    libc::SYS_kexec_load,
    libc::SYS_keyctl,
    libc::SYS_lookup_dcookie,
    libc::SYS_open_by_handle_at,
    libc::SYS_perf_event_open,
    libc::SYS_quotactl,
    libc::SYS_reboot,
    libc::SYS_request_key,
    libc::SYS_settimeofday,
    libc::SYS_swapoff,
    libc::SYS_swapon,
    libc::SYS_syslog,
    libc::SYS_userfaultfd,
];

/// Puts the filter over this thread and all that it starts.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub(crate) fn put_up() -> Result<(), String> {
    seccompiler::apply_filter(&filter())
        .map_err(|why| format!("could not refuse system calls: {why}"))
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
pub(crate) fn put_up() -> Result<(), String> {
    Ok(())
}

fn step(code: u16, k: u32) -> sock_filter {
    sock_filter { code, jt: 0, jf: 0, k }
}

/// Goes on where the condition holds, else past `over` steps.
fn when(code: u16, k: u32, over: usize) -> sock_filter {
    sock_filter { code, jt: 0, jf: u8::try_from(over).unwrap_or(u8::MAX), k }
}

fn filter() -> Vec<sock_filter> {
    let fail = |error: i32| step(RETURN, FAIL | error.unsigned_abs());
    let number = |call: i64| u32::try_from(call).unwrap_or(u32::MAX);
    let refused: Vec<u32> = REFUSED.iter().chain(&calls::MORE).copied().map(number).collect();
    let own = Calls {
        refused: &refused,
        ioctl: number(libc::SYS_ioctl),
        socket: number(libc::SYS_socket),
    };
    let mut steps = vec![step(LOAD, ARCHITECTURE)];
    if let Some((name, its)) = calls::OTHER {
        let body = list(&its);
        steps.push(when(JUMP_EQUAL, name, body.len() + 1));
        steps.push(step(LOAD, NUMBER));
        steps.extend(body);
    }
    // Another architecture still has no business here.
    steps.push(sock_filter { code: JUMP_EQUAL, jt: 1, jf: 0, k: calls::OWN });
    steps.push(fail(libc::ENOSYS));
    steps.push(step(LOAD, NUMBER));
    if let Some(above) = calls::ABOVE {
        steps.push(when(JUMP_ABOVE, above, 1));
        steps.push(fail(libc::ENOSYS));
    }
    steps.extend(list(&own));
    steps
}

/// Refuses these calls by their numbers, foreign sockets and the two uses of a terminal; lets everything else be.
fn list(calls: &Calls<'_>) -> Vec<sock_filter> {
    let mut steps = Vec::new();
    for number in calls.refused {
        steps.extend(fails(*number, libc::EPERM));
    }
    for (call, argument, values, error) in [
        (calls.socket, FIRST_ARGUMENT, FOREIGN.as_slice(), libc::EAFNOSUPPORT),
        (calls.ioctl, SECOND_ARGUMENT, TERMINAL.as_slice(), libc::EPERM),
    ] {
        let mut body = vec![step(LOAD, argument)];
        body.extend(values.iter().flat_map(|value| fails(*value, error)));
        body.push(step(RETURN, ALLOW));
        steps.push(when(JUMP_EQUAL, call, body.len()));
        steps.extend(body);
    }
    steps.push(step(RETURN, ALLOW));
    steps
}

/// Refuses where what was loaded is this value.
fn fails(value: u32, error: i32) -> [sock_filter; 2] {
    [when(JUMP_EQUAL, value, 1), step(RETURN, FAIL | error.unsigned_abs())]
}
