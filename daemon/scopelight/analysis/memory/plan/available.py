"""What a compiler says that there is of main memory for a program that was compiled for a TPU and has not run."""

from scopelight.formats.out_of_memory_message import read_out_of_memory
from scopelight.model.devices.table import device_model
from scopelight.model.run.prediction import PredictedProgram, Prediction


def available_to_programs(prediction: Prediction) -> int | None:
    """Of each device of its target: as the compiler said of a program without room, else as it says of such devices."""
    said = [limit for each in prediction.programs if (limit := said_of_memory(each)[1]) is not None]
    if said:
        return min(said)
    model = device_model(prediction.device)
    return model.program_bytes if model is not None else None


def said_of_memory(program: PredictedProgram) -> tuple[int | None, int | None]:
    """What is said that a program without room needs, and what there is; runs of before that was read have the text."""
    if program.outcome != "no-room":
        return None, None
    if program.needed_bytes is not None and program.available_bytes is not None:
        return program.needed_bytes, program.available_bytes
    text = read_out_of_memory(program.message)
    return text.requested_bytes, text.limit_bytes
