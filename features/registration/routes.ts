import type { Handlers } from '#core/http/endpoints.ts'
import { getSetupState } from '#features/people/setup.ts'
import type {
  invitationEndpoints,
  ownInvitationEndpoints,
  registrationEndpoints,
  setupEndpoints,
} from './contract.ts'
import * as invitations from './invitations.ts'
import { listInvited } from './invited-members.ts'
import * as ownInvitations from './own-invitations.ts'
import { registerAccount } from './register.ts'

const messages = {
  registered: {
    en: 'Registration successful. Please check your email to verify your address.',
    ja: '登録しました。確認メールを送りましたので、メールのリンクを開いてください。',
  },
  /** Without SMTP_URL, nobody needs a verified address. */
  registeredWithoutMail: { en: 'Registration successful.', ja: '登録しました。' },
}

export const setupHandlers: Handlers<typeof setupEndpoints> = {
  state: async (context) => ({ state: await getSetupState(context, context.input.code) }),
}

export const invitationHandlers: Handlers<typeof invitationEndpoints> = {
  check: async (context) => {
    await invitations.requireUsable(context, context.input.invitation)
    return undefined
  },
  list: (context) => invitations.list(context, context.input),
  create: (context) => invitations.create(context, context.input),
  end: (context) => invitations.end(context, context.input.id),
  members: (context) => listInvited(context, context.input),
}

export const ownInvitationHandlers: Handlers<typeof ownInvitationEndpoints> = {
  list: (context) => ownInvitations.list(context, context.input),
  create: (context) => ownInvitations.create(context, context.input),
  end: (context) => ownInvitations.end(context, context.input.id),
}

export const registrationHandlers: Handlers<typeof registrationEndpoints> = {
  state: ({ settings }) => {
    const { who_can_join, join_question } = settings.current()
    return { who_can_join, join_question: who_can_join === 'approval' ? join_question : null }
  },

  register: async (context) => {
    const { id, name, email, created_at } = await registerAccount(context)
    const message = context.config.SMTP_URL ? messages.registered : messages.registeredWithoutMail
    return { message: message[context.lang], user: { id, name, email, created_at } }
  },
}
