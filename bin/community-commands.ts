import { OperatorError } from '#core/config.ts'
import { transaction } from '#core/database/transaction.ts'
import type { SmtpStep } from '#core/mail/test-mail.ts'
import { emailSchema } from '#core/schemas.ts'
import { retryMails } from '#features/admin/mail-retry.ts'
import { sendToAddress } from '#features/admin/mail-test.ts'
import { INVITATION_DAYS, MAX_ADMIN_USES, MAX_INVITATION_DAYS } from '#features/registration/contract.ts'
import { createInvitation } from '#features/registration/operator.ts'
import { newInvitationSchema } from '#features/registration/schemas.ts'
import {
  type CliCommand,
  createOperatorContext,
  parse,
  warnOfLocalLinks,
  withCommunityDatabase,
} from './cli-community.ts'

export const communityCommands: Record<string, CliCommand> = {
  invite: {
    options: {
      uses: {
        value: 'N',
        description: `how many people can join with it, up to ${MAX_ADMIN_USES}; otherwise 1`,
      },
      days: {
        value: 'N',
        description: `for how many days, up to ${MAX_INVITATION_DAYS}; otherwise ${INVITATION_DAYS}`,
      },
      note: { value: 'TEXT', description: 'what it is for; admins see it beside the invitation' },
    },
    description: 'makes an invitation, and prints its link',
    run: async (_, { uses, days, note }) => {
      const { entries } = newInvitationSchema
      const numberTo = (max: number) => `takes a number from 1 to ${max}.`
      const invitation = {
        max_uses: parse(entries.max_uses, uses ?? 1, `--uses ${numberTo(MAX_ADMIN_USES)}`),
        days: parse(entries.days, days, `--days ${numberTo(MAX_INVITATION_DAYS)}`),
        note: parse(entries.note, note, '--note takes at most 200 characters.'),
      }
      return withCommunityDatabase(async ({ db, config }) => {
        const context = await createOperatorContext(db, config)
        if (context.settings.current().who_can_join === 'closed')
          throw new OperatorError('Nobody can join: an admin has closed the community at /admin/settings.')
        const { link } = await createInvitation(context, invitation)
        warnOfLocalLinks(context)
        return link
      })
    },
  },
  'mail test': {
    argument: 'EMAIL',
    description: 'sends a test mail, and prints the answer of the mail server',
    run: async (given) => {
      const to = parse(emailSchema, given, 'EMAIL takes an e-mail address.')
      return withCommunityDatabase(async ({ db, config }) => {
        if (!config.SMTP_URL)
          throw new OperatorError(
            'No mail server is set: mails are written to files in DATA_DIR/mail. Set SMTP_URL.',
          )
        const context = await createOperatorContext(db, config)
        const { failed, answer } = await sendToAddress(context, config.SMTP_URL, to)
        if (failed) throw new OperatorError(`${smtpProblems[failed]} It says: ${oneLine(answer)}`)
        return `The mail server has accepted the mail to ${to}: ${oneLine(answer)}`
      })
    },
  },
  'mail retry': {
    description: 'sends the mails again that were given up in the last seven days',
    run: () =>
      withCommunityDatabase(async ({ db }) => {
        const mails = await transaction(db, (tx) => retryMails(tx, null))
        return mails ? `Mails that a running server sends again: ${mails}.` : 'No mail was given up.'
      }),
  },
}

const smtpProblems: Record<SmtpStep, string> = {
  connection: 'The mail server of SMTP_URL cannot be reached.',
  tls: 'The mail server of SMTP_URL does not offer a TLS connection that can be trusted.',
  'log-in': 'The mail server refuses the user or the password of SMTP_URL.',
  sender: 'The mail server refuses the sender: see MAIL_FROM.',
  recipient: 'The mail server refuses this recipient.',
  content: 'The mail server refuses the mail.',
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim()
