import type { EndpointHandlers } from '#core/http/endpoints.ts'
import { readSetupStateForSetupCode } from '#features/people/setup.ts'
import type { registrationEndpoints, setupEndpoints } from './contract.ts'
import type { invitationEndpoints, ownInvitationEndpoints } from './invitation-contract.ts'
import * as invitations from './invitations.ts'
import { listMembersJoinedByInvitation } from './invited-members.ts'
import { createOwnInvitation, endOwnInvitation, listOwnInvitations } from './own-invitations.ts'
import { registerAccount } from './register.ts'

const messages = {
  registered: {
    en: 'Registration successful. Please check your email to verify your address.',
    ja: '登録しました。確認メールを送りましたので、リンクを開いてください。',
  },
  /**
   * The message after a registration if SMTP_URL is not set. Mails are then files that only the operator can
   * read.
   */
  registeredWithoutMail: {
    en: 'Registration successful. Please ask an admin for the link that verifies your address.',
    ja: '登録しました。メールアドレスを確認するためのリンクは、管理者にお問い合わせください。',
  },
  firstAdminRegisteredWithoutMail: {
    en: 'Registration successful. You can find the link that verifies your address in the list of users.',
    ja: '登録しました。メールアドレスを確認するためのリンクは、ユーザー一覧にあります。',
  },
}

export const setupEndpointHandlers: EndpointHandlers<typeof setupEndpoints> = {
  state: async (context) => ({ state: await readSetupStateForSetupCode(context, context.input.code) }),
}

export const invitationEndpointHandlers: EndpointHandlers<typeof invitationEndpoints> = {
  check: async (context) => {
    await invitations.requireUsableInvitationCode(context, context.input.invitation)
    return undefined
  },
  list: (context) => invitations.listInvitationsOfAllMembers(context, context.input),
  create: (context) => invitations.createInvitationAndRecordAdminAction(context, context.input),
  end: (context) => invitations.endInvitationAndRecordAdminAction(context, context.input.id),
  members: (context) => listMembersJoinedByInvitation(context, context.input),
}

export const ownInvitationEndpointHandlers: EndpointHandlers<typeof ownInvitationEndpoints> = {
  list: (context) => listOwnInvitations(context, context.input),
  create: (context) => createOwnInvitation(context, context.input),
  end: (context) => endOwnInvitation(context, context.input.id),
}

export const registrationEndpointHandlers: EndpointHandlers<typeof registrationEndpoints> = {
  state: ({ settings }) => {
    const { who_can_join, join_question } = settings.current()
    return { who_can_join, join_question: who_can_join === 'approval' ? join_question : null }
  },

  register: async (context) => {
    const { id, name, email, created_at, isAdmin } = await registerAccount(context)
    const withoutMail = isAdmin ? messages.firstAdminRegisteredWithoutMail : messages.registeredWithoutMail
    const message = context.config.SMTP_URL ? messages.registered : withoutMail
    return { message: message[context.lang], user: { id, name, email, created_at } }
  },
}
