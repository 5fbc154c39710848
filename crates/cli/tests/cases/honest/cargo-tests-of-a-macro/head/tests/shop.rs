use shop::total;

macro_rules! costs {
    ($name:ident, $prices:expr, $wanted:expr) => {
        #[test]
        fn $name() {
            assert_eq!(total(&$prices), $wanted);
        }
    };
}

costs!(nothing, [], 0);
costs!(the_first_counts_too, [7, 2, 3], 12);
