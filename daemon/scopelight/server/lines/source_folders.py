"""Which recorded folder a folder of this machine stands for."""

import functools

from scopelight.protocol.lines import LocatedFolder, LocateFolder
from scopelight.report.run.absent_files import not_in_folder
from scopelight.server.documents.paths import checked_name, checked_path
from scopelight.server.session import Session
from scopelight.source.source_folders import find_folder


async def locate_folder(session: Session, params: LocateFolder) -> LocatedFolder:
    """What the setting is to say so that a recorded file is found in a folder, or why none can."""
    file, folder = checked_name(params.file), checked_path(params.folder)
    found = await session.work.quick(functools.partial(find_folder, file, folder))
    if found is None:
        return LocatedFolder(None, None, reason=not_in_folder(file, str(folder)))
    return LocatedFolder(found.recorded, found.folder)
