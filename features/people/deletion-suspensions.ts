import type { Tx } from '#core/database/database.ts'

/**
 * Moves those without an end that began at or after an admin's request to delete the account. Earlier
 * versions kept them in `suspensions`, where they would continue after the deletion is cancelled.
 */
export async function moveSuspensions(
  tx: Tx,
  requests: readonly { user_id: number; requested_at: string }[],
) {
  if (!requests.length) return
  const requestTimes = new Map(requests.map(({ user_id, requested_at }) => [user_id, requested_at]))
  const suspensions = await tx
    .selectFrom('suspensions')
    .select(['user_id', 'suspended_by', 'created_at'])
    .where('user_id', 'in', [...requestTimes.keys()])
    .where('ends_at', 'is', null)
    .execute()
  const moved = suspensions.filter(({ user_id, created_at }) => created_at >= requestTimes.get(user_id)!)
  if (!moved.length) return
  await tx
    .insertInto('deletion_suspensions')
    .values(moved)
    .onConflict((c) => c.doNothing())
    .execute()
  await tx
    .deleteFrom('suspensions')
    .where(
      'user_id',
      'in',
      moved.map(({ user_id }) => user_id),
    )
    .execute()
}
