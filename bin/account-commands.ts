import { text } from 'node:stream/consumers'
import { OperatorError } from '#core/config.ts'
import { transaction } from '#core/database/transaction.ts'
import { HttpError } from '#core/http/errors.ts'
import { randomCode } from '#core/secrets/typed-codes.ts'
import { countCodePoints, normalizePassword } from '#core/text/unicode.ts'
import { endSessions, removeSecondStep, setPassword } from '#features/account/operator.ts'
import * as logInCards from '#features/cards/cards.ts'
import * as credentials from '#features/people/credentials.ts'
import * as memberSessions from '#features/people/sessions.ts'
import { requireAccount } from './admin-commands.ts'
import { type CliCommand, createOperatorContext, withCommunityDatabase } from './cli-community.ts'

/**
 * The number of groups of four characters in a password that a command makes: 100 random bits.
 */
const PASSWORD_GROUPS = 5

export const accountCliCommandsByName: Record<string, CliCommand> = {
  'password set': {
    argument: 'EMAIL',
    description: 'sets the password on standard input, or makes one; ends all sessions',
    run: async (email) => {
      const { password, isGiven } = await readOrMakePassword()
      return withCommunityDatabase(async ({ db, config }) => {
        const id = await requireAccount(db, email!)
        const hash = await hashGivenPassword(password)
        const context = await createOperatorContext(db, config)
        await transaction(db, async (tx) => {
          await setPassword(context, tx, id, hash)
          await logInCards.retire(tx, id)
        })
        return isGiven ? `The password of ${email} is set, and all sessions have ended.` : password
      })
    },
  },
  'second-step remove': {
    argument: 'EMAIL',
    description: 'removes the one-time codes and passkeys',
    run: (email) =>
      withCommunityDatabase(async ({ db, config }) => {
        const context = await createOperatorContext(db, config)
        const removed = await transaction(db, async (tx) =>
          removeSecondStep(context, tx, await requireAccount(tx, email!)),
        )
        return removed ? `${email} logs in with the password alone.` : `${email} has no second step.`
      }),
  },
  'session list': {
    argument: 'EMAIL',
    description: 'lists the sessions of an account',
    run: (email) =>
      withCommunityDatabase(async ({ db }) => {
        const sessions = await memberSessions.list(db, await requireAccount(db, email!), '')
        const lines = sessions.map(({ created_at, last_used_at, network, device }) =>
          [created_at, last_used_at, network ?? '-', device ?? '-'].join('\t'),
        )
        return lines.join('\n') || `${email} is not logged in.`
      }),
  },
  'session end': {
    argument: 'EMAIL',
    description: 'ends all sessions of an account',
    run: (email) =>
      withCommunityDatabase(async ({ db }) => {
        const ended = await transaction(db, async (tx) => endSessions(tx, await requireAccount(tx, email!)))
        return `${ended} ${ended === 1 ? 'session has' : 'sessions have'} ended.`
      }),
  },
}

/**
 * Returns the password on standard input, or a new one (`isGiven` is false) at a terminal, where the password
 * would be shown, and if there is no input.
 */
export async function readOrMakePassword() {
  const line = process.stdin.isTTY ? '' : (await text(process.stdin)).replace(/\r?\n$/, '')
  return { password: line || randomCode(PASSWORD_GROUPS), isGiven: line !== '' }
}

/**
 * Returns the hash of a new password. Throws an OperatorError for a password that is too short, too long or
 * too common, which members may not choose either.
 */
export async function hashGivenPassword(password: string) {
  if (countCodePoints(normalizePassword(password)) < 8 || countCodePoints(password) > 1000)
    throw new OperatorError('A password has 8 to 1,000 characters.')
  try {
    return await credentials.hashNew(password, '')
  } catch (error) {
    if (!(error instanceof HttpError)) throw error
    throw new OperatorError('This is one of the 100,000 most common passwords. Please choose another.')
  }
}
