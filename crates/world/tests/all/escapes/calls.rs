//! What is tried by rare system calls, devices and tables of the kernel, and by what Landlock does not cover.

use super::attempts::{Attempt, Ends, Tongue, usual};

pub(super) static CALLS: [Attempt; 18] = [
    Attempt {
        name: "io-uring",
        what: "read the user's checkout through io_uring",
        tongue: Tongue::Python,
        files: Ends::Stopped,
        none: Ends::Works,
        network: false,
        caps: usual,
        script: r#"
import mmap,struct
p=(ctypes.c_uint32*30)()
ring,e=call(425,425,4,p)
sq,cq=p[10:20],p[20:30]
r=mmap.mmap(ring,sq[6]+4*p[0],offset=0)
c=mmap.mmap(ring,cq[5]+16*p[1],offset=0x8000000)
s=mmap.mmap(ring,64*p[0],offset=0x10000000)
path=ctypes.create_string_buffer((os.environ["HOUSE"]+"repo/file").encode())
s[:40]=struct.pack("<BBHiQQIIQ",18,0,0,-100,0,ctypes.addressof(path),0,0,0)
struct.pack_into("<I",r,sq[1],1)
call(426,426,ring,1,1,1,None,0)
fd=struct.unpack_from("<i",c,cq[5]+8)[0]
print(os.read(fd,100))
"#,
    },
    Attempt {
        name: "take-file",
        what: "take an open file from another process",
        tongue: Tongue::Python,
        files: Ends::Stopped,
        none: Ends::Works,
        network: false,
        caps: usual,
        script: r"
p,e=call(434,434,V,0)
r,e=call(438,438,p,1,0)
if r>=0: won()
",
    },
    Attempt {
        name: "read-memory",
        what: "read the memory of another process by a call of its own",
        tongue: Tongue::Python,
        files: Ends::Stopped,
        none: Ends::Works,
        network: false,
        caps: usual,
        // Whoever may read hears that there is nothing at that address.
        script: r"
import errno
b=ctypes.create_string_buffer(8)
here=(ctypes.c_uint64*2)(ctypes.addressof(b),8)
there=(ctypes.c_uint64*2)(16,8)
r,e=call(310,270,V,here,1,there,1,ctypes.c_long(0))
if r>=0 or e==errno.EFAULT: won()
",
    },
    Attempt {
        name: "limits",
        what: "change the limits of another process",
        tongue: Tongue::Python,
        files: Ends::Works,
        none: Ends::Works,
        network: false,
        caps: usual,
        script: r"
b=(ctypes.c_uint64*2)()
r,e=call(302,261,V,7,None,b)
if r==0: r,e=call(302,261,V,7,b,None)
if r==0: won()
",
    },
    Attempt {
        name: "answer",
        what: "answer in the place of the keeper",
        tongue: Tongue::Python,
        files: Ends::Stopped,
        none: Ends::Works,
        network: false,
        caps: usual,
        script: r#"
os.open(f"/proc/{os.getppid()}/fd/1",os.O_WRONLY); won()
"#,
    },
    Attempt {
        name: "enter-by-handle",
        what: "enter the namespaces of another process by a handle",
        tongue: Tongue::Python,
        files: Ends::Stopped,
        none: Ends::Works,
        network: false,
        caps: usual,
        script: r"
p,e=call(434,434,V,0)
r,e=call(308,268,p,0x04000000)
if r==0: won()
",
    },
    Attempt {
        name: "file-handle",
        what: "open a file by its handle",
        tongue: Tongue::Python,
        files: Ends::Stopped,
        none: Ends::Works,
        network: false,
        caps: usual,
        script: r#"
h=ctypes.create_string_buffer(136); ctypes.c_uint32.from_buffer(h).value=128
m=ctypes.c_int()
call(303,264,-100,b"file",h,ctypes.byref(m),0)
r,e=call(304,265,os.open(".",os.O_RDONLY),h,0)
if r>=0: won()
"#,
    },
    Attempt {
        name: "new-mounts",
        what: "make the system writable by the newer calls for mounts",
        tongue: Tongue::Python,
        files: Ends::Stopped,
        none: Ends::Untried,
        network: false,
        caps: usual,
        script: r#"
u=os.getuid()
if libc.unshare(0x10000000|0x00020000)==0:
    try: open("/proc/self/uid_map","w").write(f"{u} {u} 1")
    except OSError: pass
    t,e=call(428,428,-100,b"/usr",1|0x8000)
    a=(ctypes.c_uint64*4)(0,1,0,0)
    call(442,442,t,b"",0x1000|0x8000,a,32)
    os.close(os.open("proctor-escape",os.O_CREAT|os.O_WRONLY,dir_fd=t)); won()
    os.unlink("proctor-escape",dir_fd=t)
"#,
    },
    Attempt {
        name: "devices",
        what: "open a device that makes files, machines or networks",
        tongue: Tongue::Python,
        files: Ends::Stopped,
        none: Ends::Untried,
        network: false,
        caps: usual,
        script: r#"
for name in ["fuse","kvm","net/tun","vsock","vhost-vsock","uinput","loop-control","mapper/control"]:
    try: os.open("/dev/"+name,os.O_RDWR); won()
    except OSError: pass
"#,
    },
    Attempt {
        name: "hypervisor",
        what: "open a socket to the hypervisor",
        tongue: Tongue::Python,
        files: Ends::Stopped,
        none: Ends::Untried,
        network: false,
        caps: usual,
        // By the call itself, and by the old one for all sockets that 32-bit programs have.
        script: r#"
import struct
for family in [32,39,40,42]:
    for kind in [1,2,3,5]:
        try: socket.socket(family,kind); won()
        except OSError: pass
if not arm:
    libc.mmap.restype=ctypes.c_void_p
    m=libc.mmap(None,4096,7,0x62,-1,0)
    ctypes.memmove(m+256,struct.pack("<3I",40,1,0),12)
    code=b"\x53\xb8\x66\0\0\0\xbb\x01\0\0\0\xb9"+struct.pack("<I",m+256)+b"\xcd\x80\x5b\xc3"
    ctypes.memmove(m,code,len(code))
    if ctypes.CFUNCTYPE(ctypes.c_int)(m)()>=0: won()
"#,
    },
    Attempt {
        name: "kernel-log",
        what: "read the messages of the kernel",
        tongue: Tongue::Python,
        files: Ends::Stopped,
        none: Ends::Works,
        network: false,
        caps: usual,
        script: r#"
b=ctypes.create_string_buffer(4096)
r,e=call(103,116,3,b,4096)
if r>=0: won()
os.open("/dev/kmsg",os.O_RDONLY|os.O_NONBLOCK); won()
"#,
    },
    Attempt {
        name: "watch-all",
        what: "watch what all others open",
        tongue: Tongue::Python,
        files: Ends::Stopped,
        none: Ends::Works,
        network: false,
        caps: usual,
        script: r"
r,e=call(300,262,0,0)
if r>=0: won()
",
    },
    Attempt {
        name: "watch-files",
        what: "watch the user's files",
        tongue: Tongue::Python,
        files: Ends::Works,
        none: Ends::Works,
        network: false,
        caps: usual,
        script: r#"
if libc.inotify_add_watch(libc.inotify_init(),(os.environ["HOUSE"]+"user/.aws/credentials").encode(),0xfff)>=0: won()
"#,
    },
    Attempt {
        name: "look-at-file",
        what: "see whether a file of the user is there, and how large it is",
        tongue: Tongue::Python,
        files: Ends::Works,
        none: Ends::Works,
        network: false,
        caps: usual,
        script: r#"
os.stat(os.environ["HOUSE"]+"user/.ssh/id_ed25519"); won()
"#,
    },
    Attempt {
        name: "rights",
        what: "change the rights of a file of the user",
        tongue: Tongue::Python,
        files: Ends::Works,
        none: Ends::Works,
        network: false,
        caps: usual,
        script: r#"
path=os.environ["HOUSE"]+"user/.ssh/id_ed25519"
os.chmod(path,os.stat(path).st_mode&0o7777); won()
"#,
    },
    Attempt {
        name: "kinds-of-programs",
        what: "name a program that runs all files of a kind",
        tongue: Tongue::Python,
        files: Ends::Stopped,
        none: Ends::Untried,
        network: false,
        caps: usual,
        script: r#"
os.open("/proc/sys/fs/binfmt_misc/register",os.O_WRONLY); won()
"#,
    },
    Attempt {
        name: "sys",
        what: "change a device through /sys",
        tongue: Tongue::Python,
        files: Ends::Stopped,
        none: Ends::Works,
        network: false,
        caps: usual,
        script: r#"
for top,_,names in os.walk("/sys/devices/system"):
    for name in names:
        try: os.close(os.open(top+"/"+name,os.O_WRONLY)); won(); raise SystemExit
        except OSError: pass
"#,
    },
    Attempt {
        name: "old-shared-memory",
        what: "leave a segment of System V's shared memory",
        tongue: Tongue::Python,
        files: Ends::Works,
        none: Ends::Works,
        network: false,
        caps: usual,
        script: r"
libc.shmget(V,4096,0o1600)
",
    },
];
