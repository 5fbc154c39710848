//! A terminal for a child: nobody types there, and what it shows is copied into a file as it was written.

use rustix::fs::{Mode, OFlags};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{
    LocalModes, OptionalActions, OutputModes, SpecialCodeIndex, Winsize, tcgetattr, tcsetattr,
    tcsetwinsize,
};
use std::fs::File;
use std::io::{self, Read, Write};
use std::thread::{self, JoinHandle};

/// The far end of a terminal, at work until nobody has the near one open.
pub(super) struct Line(JoinHandle<()>);

impl Line {
    /// A terminal, and who copies what it shows.
    pub(super) fn open(mut log: File) -> io::Result<(File, Self)> {
        let far = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | crate::OWN)?;
        grantpt(&far)?;
        unlockpt(&far)?;
        let name = ptsname(&far, Vec::new())?;
        let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC;
        let near = rustix::fs::open(&*name, flags, Mode::empty())?;
        let mut modes = tcgetattr(&near)?;
        modes.output_modes.remove(OutputModes::OPOST);
        // Whoever reads is told that there is nothing, and does not wait for it.
        modes.local_modes.remove(LocalModes::ICANON | LocalModes::ECHO);
        for which in [SpecialCodeIndex::VMIN, SpecialCodeIndex::VTIME] {
            modes.special_codes[which] = 0;
        }
        tcsetattr(&near, OptionalActions::Now, &modes)?;
        let size = Winsize { ws_row: 40, ws_col: 120, ws_xpixel: 0, ws_ypixel: 0 };
        tcsetwinsize(&near, size)?;
        let mut far = File::from(far);
        let copy = move || {
            let mut part = vec![0; 64 * 1024];
            loop {
                match far.read(&mut part) {
                    Ok(0) => return,
                    Ok(count) => {
                        // What can't be kept is lost, as it is where the child writes the file itself.
                        let _ = log.write_all(part.get(..count).unwrap_or_default());
                    }
                    Err(why) if why.kind() == io::ErrorKind::Interrupted => {}
                    // Nobody has it open any more.
                    Err(_) => return,
                }
            }
        };
        let at_work = thread::Builder::new().name("terminal".to_owned()).spawn(copy)?;
        Ok((File::from(near), Self(at_work)))
    }

    /// Waits until all is copied. Nobody may have the near end open.
    pub(super) fn end(self) {
        let _ = self.0.join();
    }
}
