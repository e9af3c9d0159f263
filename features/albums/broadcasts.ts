import type { AppContext } from '#core/context.ts'
import { fillChannel } from '#core/contract.ts'
import type { AllowedViewers } from '#core/realtime/visibility.ts'
import { type AlbumPictureEvents, albumChannels } from './contract.ts'

interface Place {
  id: number
  group_id: number | null
}

async function viewersOf({ db, groups }: AppContext, { group_id }: Place): Promise<AllowedViewers> {
  if (group_id === null) return 'members'
  return (await groups.membersOf([group_id]).execute(db)).rows.map(({ user_id }) => user_id)
}

/** After the commit. Viewers who may not see one of `aboutUsers` do not get it. */
export async function send<E extends keyof AlbumPictureEvents>(
  context: AppContext,
  album: Place,
  event: E,
  data: AlbumPictureEvents[E],
  aboutUsers: number[] = [],
) {
  const onlyFor = await viewersOf(context, album)
  const channel = fillChannel(albumChannels.album, { album: album.id })
  context.realtime.broadcast([channel], event, data, { aboutUsers, onlyFor })
}
