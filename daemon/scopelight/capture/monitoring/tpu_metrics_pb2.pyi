# mypy: disable-error-code="type-arg"
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class MetricRequest(_message.Message):
    __slots__ = ("metric_name",)
    METRIC_NAME_FIELD_NUMBER: _ClassVar[int]
    metric_name: str
    def __init__(self, metric_name: _Optional[str] = ...) -> None: ...

class Gauge(_message.Message):
    __slots__ = ("as_double", "as_int")
    AS_DOUBLE_FIELD_NUMBER: _ClassVar[int]
    AS_INT_FIELD_NUMBER: _ClassVar[int]
    as_double: float
    as_int: int
    def __init__(self, as_double: _Optional[float] = ..., as_int: _Optional[int] = ...) -> None: ...

class Metric(_message.Message):
    __slots__ = ("gauge",)
    GAUGE_FIELD_NUMBER: _ClassVar[int]
    gauge: Gauge
    def __init__(self, gauge: _Optional[_Union[Gauge, _Mapping]] = ...) -> None: ...

class NamedMetric(_message.Message):
    __slots__ = ("name", "metrics")
    NAME_FIELD_NUMBER: _ClassVar[int]
    METRICS_FIELD_NUMBER: _ClassVar[int]
    name: str
    metrics: _containers.RepeatedCompositeFieldContainer[Metric]
    def __init__(self, name: _Optional[str] = ..., metrics: _Optional[_Iterable[_Union[Metric, _Mapping]]] = ...) -> None: ...

class MetricResponse(_message.Message):
    __slots__ = ("metric",)
    METRIC_FIELD_NUMBER: _ClassVar[int]
    metric: NamedMetric
    def __init__(self, metric: _Optional[_Union[NamedMetric, _Mapping]] = ...) -> None: ...
