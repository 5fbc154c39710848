use proctor_core::words::BlobId;
use proctor_journal::{BlobError, Blobs};
use proptest::prelude::*;
use std::fs;
use std::path::{Path, PathBuf};

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            found.push(path);
        }
    }
    found
}

#[test]
fn the_same_bytes_are_one_file_named_by_their_hash() {
    let home = tempfile::tempdir().unwrap();
    let blobs = Blobs::open(home.path()).unwrap();
    let id = blobs.put(b"hello").unwrap();
    let source = home.path().join("source");
    fs::write(&source, "hello").unwrap();
    assert_eq!(blobs.put(b"hello").unwrap(), id);
    assert_eq!(blobs.put_file(&source).unwrap(), id);
    let hash = blake3::hash(b"hello").to_hex();
    assert_eq!(id.as_str(), hash.as_str());
    let place = home.path().join("blobs").join(&hash[..2]).join(&hash[2..]);
    assert_eq!(files(&home.path().join("blobs")), [place]);
}

#[test]
fn much_of_the_same_takes_little_room() {
    let home = tempfile::tempdir().unwrap();
    let blobs = Blobs::open(home.path()).unwrap();
    let bytes = b"test passed\n".repeat(50_000);
    let id = blobs.put(&bytes).unwrap();
    assert_eq!(blobs.get(&id).unwrap(), bytes);
    let file = &files(&home.path().join("blobs"))[0];
    assert!(fs::metadata(file).unwrap().len() < 10_000);
}

#[test]
fn a_damaged_blob_is_an_error_and_the_next_put_mends_it() {
    let home = tempfile::tempdir().unwrap();
    let blobs = Blobs::open(home.path()).unwrap();
    let id = blobs.put(b"hello").unwrap();
    let other = blobs.put(b"another").unwrap();
    let root = home.path().join("blobs");
    let place = |id: &BlobId| root.join(&id.as_str()[..2]).join(&id.as_str()[2..]);
    let swapped = fs::read(place(&other)).unwrap();
    for bytes in [&b""[..], b"\xff\xff garbage", &swapped] {
        fs::write(place(&id), bytes).unwrap();
        let error = blobs.get(&id).unwrap_err();
        assert!(matches!(error, BlobError::Damaged { .. }), "{error}");
        assert!(error.to_string().contains(id.as_str()), "{error}");
        assert_eq!(blobs.put(b"hello").unwrap(), id);
        assert_eq!(blobs.get(&id).unwrap(), b"hello");
    }
    fs::remove_file(place(&id)).unwrap();
    let error = blobs.get(&id).unwrap_err();
    assert!(matches!(error, BlobError::Missing { .. }), "{error}");
}

#[test]
fn an_id_that_is_no_hash_leads_nowhere() {
    let home = tempfile::tempdir().unwrap();
    let blobs = Blobs::open(home.path()).unwrap();
    let long = format!("../{}", "a".repeat(61));
    for id in ["", "a", "ä", "../../etc/passwd", &long, &"A".repeat(64)] {
        let error = blobs.get(&BlobId::new(id)).unwrap_err();
        assert!(matches!(error, BlobError::BadId { .. }), "{error}");
    }
}

#[test]
fn a_file_that_is_not_there_is_named() {
    let home = tempfile::tempdir().unwrap();
    let blobs = Blobs::open(home.path()).unwrap();
    let error = blobs.put_file(&home.path().join("nope")).unwrap_err();
    assert!(error.to_string().contains("nope"), "{error}");
}

#[test]
fn json_goes_in_and_comes_out() {
    let home = tempfile::tempdir().unwrap();
    let blobs = Blobs::open(home.path()).unwrap();
    let id = blobs.put_json(&vec![1, 2, 3]).unwrap();
    assert_eq!(blobs.get_json::<Vec<u8>>(&id).unwrap(), [1, 2, 3]);
    assert!(matches!(blobs.get_json::<String>(&id), Err(BlobError::NotJson { .. })));
}

#[test]
fn many_at_once_store_the_same_blob_without_harm() {
    let home = tempfile::tempdir().unwrap();
    let blobs = Blobs::open(home.path()).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for n in 0..20_u8 {
                    blobs.put(&[n; 1000]).unwrap();
                }
            });
        }
    });
    assert_eq!(files(&home.path().join("blobs")).len(), 20);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]
    #[test]
    fn whatever_goes_in_comes_out(bytes in prop::collection::vec(any::<u8>(), 0..2000)) {
        let home = tempfile::tempdir().unwrap();
        let blobs = Blobs::open(home.path()).unwrap();
        let id = blobs.put(&bytes).unwrap();
        prop_assert_eq!(blobs.get(&id).unwrap(), bytes);
    }
}
