import { defineTexts } from '#web/i18n.ts'

/** The texts that the log-in page shows to visitors of a members-only community. */
export const membersOnlyLogInPageText = defineTexts({
  en: {
    membersOnly: (name: string) => `Only members can read ${name}.`,
    askForInvitation: 'If you would like to join, ask a member or an admin for an invitation.',
  },
  ja: {
    membersOnly: (name: string) => `「${name}」は、メンバーだけが読めます。`,
    askForInvitation: '参加したい方は、メンバーか管理者に招待を頼んでください。',
  },
})
