# mypy: disable-error-code="type-arg"
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class TracerOptions(_message.Message):
    __slots__ = ("include_dataset_ops", "host_tracer_level", "device_tracer_level", "python_tracer_level", "version", "enable_hlo_proto", "start_timestamp_ns", "duration_ms")
    INCLUDE_DATASET_OPS_FIELD_NUMBER: _ClassVar[int]
    HOST_TRACER_LEVEL_FIELD_NUMBER: _ClassVar[int]
    DEVICE_TRACER_LEVEL_FIELD_NUMBER: _ClassVar[int]
    PYTHON_TRACER_LEVEL_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    ENABLE_HLO_PROTO_FIELD_NUMBER: _ClassVar[int]
    START_TIMESTAMP_NS_FIELD_NUMBER: _ClassVar[int]
    DURATION_MS_FIELD_NUMBER: _ClassVar[int]
    include_dataset_ops: bool
    host_tracer_level: int
    device_tracer_level: int
    python_tracer_level: int
    version: int
    enable_hlo_proto: bool
    start_timestamp_ns: int
    duration_ms: int
    def __init__(self, include_dataset_ops: bool = ..., host_tracer_level: _Optional[int] = ..., device_tracer_level: _Optional[int] = ..., python_tracer_level: _Optional[int] = ..., version: _Optional[int] = ..., enable_hlo_proto: bool = ..., start_timestamp_ns: _Optional[int] = ..., duration_ms: _Optional[int] = ...) -> None: ...

class ProfileRequest(_message.Message):
    __slots__ = ("duration_ms", "opts", "repository_root", "session_id", "host_name", "emit_xspace")
    DURATION_MS_FIELD_NUMBER: _ClassVar[int]
    OPTS_FIELD_NUMBER: _ClassVar[int]
    REPOSITORY_ROOT_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    HOST_NAME_FIELD_NUMBER: _ClassVar[int]
    EMIT_XSPACE_FIELD_NUMBER: _ClassVar[int]
    duration_ms: int
    opts: TracerOptions
    repository_root: str
    session_id: str
    host_name: str
    emit_xspace: bool
    def __init__(self, duration_ms: _Optional[int] = ..., opts: _Optional[_Union[TracerOptions, _Mapping]] = ..., repository_root: _Optional[str] = ..., session_id: _Optional[str] = ..., host_name: _Optional[str] = ..., emit_xspace: bool = ...) -> None: ...

class ProfileResponse(_message.Message):
    __slots__ = ("empty_trace", "xspace")
    EMPTY_TRACE_FIELD_NUMBER: _ClassVar[int]
    XSPACE_FIELD_NUMBER: _ClassVar[int]
    empty_trace: bool
    xspace: bytes
    def __init__(self, empty_trace: bool = ..., xspace: _Optional[bytes] = ...) -> None: ...

class MonitorRequest(_message.Message):
    __slots__ = ("duration_ms", "monitoring_level")
    DURATION_MS_FIELD_NUMBER: _ClassVar[int]
    MONITORING_LEVEL_FIELD_NUMBER: _ClassVar[int]
    duration_ms: int
    monitoring_level: int
    def __init__(self, duration_ms: _Optional[int] = ..., monitoring_level: _Optional[int] = ...) -> None: ...

class MonitorResult(_message.Message):
    __slots__ = ("response_type", "device_idle_time_percent", "matrix_unit_utilization_percent", "step_time_ms_avg", "step_time_ms_min", "step_time_ms_max", "infeed_percent_avg", "infeed_percent_min", "infeed_percent_max")
    RESPONSE_TYPE_FIELD_NUMBER: _ClassVar[int]
    DEVICE_IDLE_TIME_PERCENT_FIELD_NUMBER: _ClassVar[int]
    MATRIX_UNIT_UTILIZATION_PERCENT_FIELD_NUMBER: _ClassVar[int]
    STEP_TIME_MS_AVG_FIELD_NUMBER: _ClassVar[int]
    STEP_TIME_MS_MIN_FIELD_NUMBER: _ClassVar[int]
    STEP_TIME_MS_MAX_FIELD_NUMBER: _ClassVar[int]
    INFEED_PERCENT_AVG_FIELD_NUMBER: _ClassVar[int]
    INFEED_PERCENT_MIN_FIELD_NUMBER: _ClassVar[int]
    INFEED_PERCENT_MAX_FIELD_NUMBER: _ClassVar[int]
    response_type: int
    device_idle_time_percent: float
    matrix_unit_utilization_percent: float
    step_time_ms_avg: float
    step_time_ms_min: float
    step_time_ms_max: float
    infeed_percent_avg: float
    infeed_percent_min: float
    infeed_percent_max: float
    def __init__(self, response_type: _Optional[int] = ..., device_idle_time_percent: _Optional[float] = ..., matrix_unit_utilization_percent: _Optional[float] = ..., step_time_ms_avg: _Optional[float] = ..., step_time_ms_min: _Optional[float] = ..., step_time_ms_max: _Optional[float] = ..., infeed_percent_avg: _Optional[float] = ..., infeed_percent_min: _Optional[float] = ..., infeed_percent_max: _Optional[float] = ...) -> None: ...

class MonitorResponse(_message.Message):
    __slots__ = ("monitor_result",)
    MONITOR_RESULT_FIELD_NUMBER: _ClassVar[int]
    monitor_result: MonitorResult
    def __init__(self, monitor_result: _Optional[_Union[MonitorResult, _Mapping]] = ...) -> None: ...
