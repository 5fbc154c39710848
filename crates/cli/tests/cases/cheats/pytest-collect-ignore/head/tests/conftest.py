collect_ignore = ["test_price.py"]
