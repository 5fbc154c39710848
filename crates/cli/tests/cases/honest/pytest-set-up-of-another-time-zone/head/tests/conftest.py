import os
import time

os.environ["TZ"] = "Asia/Tokyo"
time.tzset()
