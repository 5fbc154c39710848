import os
import time

os.environ["TZ"] = "UTC"
time.tzset()
