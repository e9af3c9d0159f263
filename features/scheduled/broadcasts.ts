import type { AppContext } from '#core/context.ts'
import type { Tx } from '#core/database/database.ts'
import * as channels from '#features/conversations/channels.ts'
import { CHANGED_EVENT } from './count-contract.ts'
import * as read from './read.ts'

/** After the commit, to all windows of the member: how many wait now. */
export async function tellChange({ realtime }: AppContext, tx: Tx, id: number) {
  const data = await read.count({ db: tx, me: { id } })
  tx.afterCommit(() => realtime.broadcast([channels.member(id)], CHANGED_EVENT, data, { aboutUsers: [] }))
}
