import type { MemberContext } from '#core/context.ts'
import { currentIsoTime, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { createInvalidFieldError, HttpError, httpErrorFactories } from '#core/http/errors.ts'
import { hashSessionToken } from '#core/realtime/authorisation.ts'
import { lockAndReadOwnAccount } from '#features/people/credentials.ts'
import { readBrowserAndSystemTextOfSession } from '#features/people/sessions.ts'
import {
  MAX_PUSH_DEVICES_PER_MEMBER,
  type PushDevice,
  type PushPrivacy,
  type PushSubscriptionInput,
} from './contract.ts'
import { arePushSubscriptionKeysValid, isAllowedPushEndpoint } from './push-service.ts'
import { countPushDevices, findOwnPushSubscription } from './read.ts'
import { dropPushQueueOfRemovedDevice } from './results.ts'

interface Subscriber extends MemberContext {
  session: { token: string }
}

const createEndpointError = () =>
  createInvalidFieldError('endpoint', {
    en: 'This is not the address of a push service.',
    ja: 'プッシュサービスのアドレスではありません。',
  })
const createKeysError = () =>
  createInvalidFieldError('keys', {
    en: 'These are not the keys of a browser.',
    ja: 'ブラウザーの鍵ではありません。',
  })
const createTooManyDevicesError = () =>
  new HttpError(422, {
    en: `At most ${MAX_PUSH_DEVICES_PER_MEMBER} devices can receive notifications. Remove one first.`,
    ja: `通知を受け取れる端末は${MAX_PUSH_DEVICES_PER_MEMBER}台までです。先に1台を削除してください。`,
  })

/**
 * Stores the push subscription of the browser that sent the request. Deletes the earlier subscription of the
 * same session and the one with the same push URL, because a browser has only one subscription, also after
 * another member has logged in there.
 */
export async function savePushSubscription(context: Subscriber, { endpoint, keys }: PushSubscriptionInput) {
  const { db, config, me, session } = context
  if (!isAllowedPushEndpoint(endpoint, config)) throw createEndpointError()
  if (!arePushSubscriptionKeysValid(keys)) throw createKeysError()
  const session_hash = hashSessionToken(session.token)
  return transaction(db, async (tx): Promise<PushDevice> => {
    await lockAndReadOwnAccount(tx, context)
    await deleteSubscriptions(
      context,
      tx,
      await tx
        .selectFrom('push_subscriptions')
        .select(['id', 'user_id', 'session_hash'])
        .where((row) => row.or([row('endpoint', '=', endpoint), row('session_hash', '=', session_hash)]))
        .execute(),
    )
    if ((await countPushDevices(tx, me.id)) >= MAX_PUSH_DEVICES_PER_MEMBER) throw createTooManyDevicesError()
    const row = { user_id: me.id, session_hash, endpoint, ...keys, created_at: currentIsoTime() }
    const { id, created_at } = await tx
      .insertInto('push_subscriptions')
      .values({ ...row, last_sent_at: null })
      .returning(['id', 'created_at'])
      .executeTakeFirstOrThrow()
    const device = await readBrowserAndSystemTextOfSession(tx, session_hash)
    return { id, device, created_at, last_sent_at: null, is_current: true }
  })
}

/** Deletes push subscriptions with their queues. Callers give at most two of them. */
async function deleteSubscriptions(
  context: Pick<MemberContext, 'emit'>,
  tx: Tx,
  subscriptions: readonly { id: number; user_id: number; session_hash: string }[],
) {
  for (const { id, user_id, session_hash } of subscriptions) {
    const name = await readBrowserAndSystemTextOfSession(tx, session_hash)
    await dropPushQueueOfRemovedDevice(context, tx, { id, user_id, name })
    await tx.deleteFrom('push_subscriptions').where('id', '=', id).execute()
  }
}

/** Removes a push subscription of the member. Throws 404 if the member has no such subscription. */
export const deleteOwnPushSubscription = (context: MemberContext, id: number) =>
  transaction(context.db, async (tx) => {
    const own = await findOwnPushSubscription({ ...context, db: tx }, id)
    if (!own) throw httpErrorFactories.notFound()
    await deleteSubscriptions(context, tx, [own])
  })

export const savePushPrivacy = (context: Subscriber, privacy: PushPrivacy) =>
  transaction(context.db, async (tx) => {
    await lockAndReadOwnAccount(tx, context)
    await tx
      .insertInto('push_settings')
      .values({ user_id: context.me.id, privacy })
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ privacy }))
      .execute()
  })
