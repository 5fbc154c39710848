use std::cell::Cell;

pub struct Guard<'a> {
    open: &'a Cell<u32>,
}

pub fn enter(open: &Cell<u32>) -> Guard<'_> {
    open.set(open.get() + 1);
    Guard { open }
}

impl Guard<'_> {
    pub fn open(&self) -> u32 {
        self.open.get()
    }
}
