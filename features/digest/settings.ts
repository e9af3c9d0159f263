import { createHmac } from 'node:crypto'
import type { AppContext, MemberContext } from '#core/context.ts'
import { areSecretsEqual } from '#core/crypto.ts'
import type { Db, Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { createInvalidFieldError } from '#core/http/errors.ts'
import { lockAndReadOwnAccount } from '#features/people/credentials.ts'
import { readNameHandleEmailAndVerifiedTime } from '#features/people/read.ts'
import type { DigestFrequency, DigestSettings } from './contract.ts'

/**
 * The digest frequency of members who have not chosen one: once a week, and only after more than a week
 * without a visit. So a member who visits every week gets no mail, and a member who stays away for long still
 * learns of an invitation. A link in each mail ends the digests. Members without a verified address get none.
 */
export const DEFAULT_DIGEST_FREQUENCY: DigestFrequency = 'weekly'

export async function readDigestFrequency(db: Db, user: number) {
  const row = await db
    .selectFrom('digest_settings')
    .select('frequency')
    .where('user_id', '=', user)
    .executeTakeFirst()
  return row?.frequency ?? DEFAULT_DIGEST_FREQUENCY
}

export async function readDigestFrequencyAndHasVerifiedEmail({
  db,
  me,
}: Pick<MemberContext, 'db' | 'me'>): Promise<DigestSettings> {
  const recipient = await readNameHandleEmailAndVerifiedTime(db, me.id)
  return {
    frequency: await readDigestFrequency(db, me.id),
    has_verified_email: Boolean(recipient?.email && recipient.email_verified_at),
  }
}

/**
 * Lists when the digests of the member were prepared and sent, newest first, at most 100. Rows of the table
 * `digests` are deleted after 60 days.
 */
export const listOwnDigestTimes = ({ db, me }: Pick<MemberContext, 'db' | 'me'>) =>
  db
    .selectFrom('digests')
    .select(['created_at', 'sent_at'])
    .where('user_id', '=', me.id)
    .orderBy('created_at', 'desc')
    .limit(100)
    .execute()

const saveFrequency = (tx: Tx, user_id: number, frequency: DigestFrequency) =>
  tx
    .insertInto('digest_settings')
    .values({ user_id, frequency })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ frequency }))
    .execute()

export const saveOwnDigestFrequency = (
  context: MemberContext & { session: { token: string } },
  frequency: DigestFrequency,
) =>
  transaction(context.db, async (tx) => {
    await lockAndReadOwnAccount(tx, context)
    await saveFrequency(tx, context.me.id, frequency)
  })

type TokenConfig = Pick<AppContext, 'config'>

const signUser = ({ config }: TokenConfig, user: number) =>
  createHmac('sha256', config.SECRET).update(`digest unsubscribe ${user}`).digest('base64url')

/**
 * Returns the token for the unsubscribe link in the digests of a member. The link works without a log-in. The
 * token never expires, because members keep mails.
 */
export const createDigestUnsubscribeToken = (context: TokenConfig, user: number) =>
  `${user}.${signUser(context, user)}`

/**
 * Ends the digests of the member to whom the token belongs: sets the digest frequency to `never`. Throws 422
 * for a wrong token.
 */
export async function unsubscribeFromDigests(context: AppContext, token: string) {
  const [id = '', signature = ''] = token.split('.')
  const user = Number(id)
  if (!areSecretsEqual(signature, signUser(context, user)))
    throw createInvalidFieldError('token', {
      en: 'The link is not valid.',
      ja: 'リンクが正しくありません。',
    })
  await transaction(context.db, async (tx) => {
    // Changes nothing if the account of the member was deleted.
    if (await readNameHandleEmailAndVerifiedTime(tx, user)) await saveFrequency(tx, user, 'never')
  })
}
