"""A server of S3's kind that has a folder in its bucket: PORT FOLDER ADDRESS."""

import sys
import time
from pathlib import Path

import boto3
from moto.server import ThreadedMotoServer

port, folder, address = sys.argv[1:]
ThreadedMotoServer(ip_address="127.0.0.1", port=int(port), verbose=False).start()
client = boto3.client("s3", endpoint_url=f"http://127.0.0.1:{port}")
bucket, _, prefix = address.removeprefix("s3://").partition("/")
client.create_bucket(Bucket=bucket)
for file in Path(folder).rglob("*"):
    if file.is_file():
        client.put_object(Bucket=bucket, Key=f"{prefix}/{file.relative_to(folder).as_posix()}", Body=file.read_bytes())
print("ready", flush=True)
while True:
    time.sleep(3600)
