import type { Db, Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import * as mailLimits from '#core/mail/limits.ts'
import { emailSchema, shortName } from '#core/schemas.ts'
import { requestDeletion, requireDeletable } from '#features/admin/deletion.ts'
import * as adminAccounts from '#features/admin/model.ts'
import type { AccountRow } from '#features/people/accounts.ts'
import * as accounts from '#features/people/accounts.ts'
import { suspendMember, unsuspendMember } from '#features/people/admins.ts'
import { nameToLogIn } from '#features/people/contract.ts'
import { createAccount } from '#features/people/model.ts'
import * as securityLog from '#features/people/security-log.ts'
import { verificationMail } from '#features/people/verification.ts'
import { hashGivenPassword, readOrMakePassword } from './account-commands.ts'
import { requireAccount } from './admin-commands.ts'
import {
  type CliCommand,
  createOperatorContext,
  parse,
  warnOfLocalLinks,
  withCommunityDatabase,
} from './cli-community.ts'

/** The commands that make, list and remove members, as the page “Users” of admins does. */
export const userCliCommandsByName: Record<string, CliCommand> = {
  'user list': {
    argument: '[TEXT]',
    description: 'lists the members (whose name or address has TEXT): id, address, name, joined, state',
    run: (text) =>
      withCommunityDatabase(async ({ db }) => {
        const lines = await Array.fromAsync(listAccounts(db, text ?? null), formatAccount)
        return lines.join('\n') || (text === undefined ? 'There is no member yet.' : `Nobody has ${text}.`)
      }),
  },
  'user create': {
    argument: 'EMAIL',
    options: {
      name: { value: 'NAME', description: 'the name of the member; otherwise the first part of EMAIL' },
    },
    description: 'creates an account; the password is on standard input, or is made and printed',
    run: async (given, { name }) => {
      const email = parse(emailSchema, given, 'EMAIL takes an e-mail address.')
      const named = parse(shortName(255), name ?? email.split('@')[0], '--name takes 1 to 255 characters.')
      const { password, isGiven } = await readOrMakePassword()
      return withCommunityDatabase(async ({ db, config }) => {
        const password_hash = await hashGivenPassword(password)
        const context = await createOperatorContext(db, config)
        await transaction(db, async (tx) => {
          const account = { name: named, email, password_hash, isFirstAdmin: false }
          const created = await createAccount(context, tx, account)
          await securityLog.record(tx, created.id, 'created_by_admin')
          const lang = context.settings.current().default_language ?? 'en'
          const mail = verificationMail(context, lang, created)
          await mailLimits.enqueue(config, tx, created.id, mail)
        })
        warnOfLocalLinks(context)
        return isGiven ? `${email} has an account.` : password
      })
    },
  },
  'user suspend': {
    argument: 'EMAIL',
    description: 'suspends a member, and ends all sessions',
    run: async (email) => {
      await changeAccount(email!, async (context, tx, { id, admin }) => {
        adminAccounts.requireSuspendable(admin)
        await suspendMember(context, tx, id, null)
      })
      return `${email} is suspended.`
    },
  },
  'user unsuspend': {
    argument: 'EMAIL',
    description: 'ends the suspension of a member',
    run: async (email) => {
      await changeAccount(email!, (context, tx, { id }) => unsuspendMember(context, tx, id, null))
      return `${email} is not suspended.`
    },
  },
  'user delete': {
    argument: 'EMAIL',
    options: { 'with-messages': { description: 'deletes what the member wrote to others too' } },
    description: 'suspends a member at once, and deletes the account in seven days',
    run: async (email, options) => {
      const messages = options['with-messages'] ? 'delete' : 'keep'
      let due_at = ''
      await changeAccount(email!, async (context, tx, { id, admin }) => {
        requireDeletable(admin)
        const lang = context.settings.current().default_language ?? 'en'
        const request = { user_id: id, messages, requested_by: null, lang } as const
        due_at = (await requestDeletion(context, tx, request)).due_at
      })
      return `${email} is suspended. The account is deleted after ${due_at}; until then, admins can keep it.`
    },
  },
}

/** Changes the account with an address or handle, in a transaction that locks the account. */
const changeAccount = (
  email: string,
  change: (
    context: Awaited<ReturnType<typeof createOperatorContext>>,
    tx: Tx,
    account: AccountRow,
  ) => Promise<unknown>,
) =>
  withCommunityDatabase(async ({ db, config }) => {
    const id = await requireAccount(db, email)
    const context = await createOperatorContext(db, config)
    return accounts.change(context, id, (tx, account) => change(context, tx, account))
  })

const PAGE = 500

/** Reads the accounts page by page, so that the rows of a large community are not in memory together. */
async function* listAccounts(db: Db, q: string | null) {
  for (let after: number | undefined; ; ) {
    const page = { limit: PAGE, q, by_email: true, ...(after !== undefined && { after }) }
    const rows = (await accounts.list(db, page)).slice(0, PAGE)
    yield* rows
    if (rows.length < PAGE) return
    after = rows.at(-1)!.id
  }
}

function formatAccount({ id, name, email, handle, created_at, admin, ...row }: AccountRow) {
  const state = row.suspended_at
    ? 'suspended'
    : admin
      ? 'admin'
      : row.email_verified_at || !email
        ? '-'
        : 'unverified'
  return [id, nameToLogIn({ email, handle }), name, created_at, state].join('\t')
}
