import { defineTexts } from '#web/i18n.ts'

/** The texts, in English and Japanese, of the dialog that hands a group over to another member. */
export const handGroupOverDialogText = defineTexts({
  en: {
    title: (group: string) => `Hand over ${group}`,
    help: 'The new owner changes the group, and adds and removes members.',
    handOver: 'Hand over',
    choose: (name: string) => `Hand over to ${name}`,
    nobodyElse: 'There is no other member yet.',
    confirmTitle: (group: string, name: string) => `Hand over ${group} to ${name}?`,
    confirmHelp: (name: string) => `${name} owns the group from then on. All members see it in the chat.`,
    confirmHelpForOwner: (name: string) =>
      `${name} owns the group from then on, and you are a member like the others. All members see it in the chat.`,
    more: 'More',
    close: 'Close',
  },
  ja: {
    title: (group: string) => `「${group}」の管理を引き継ぐ`,
    help: '引き継いだ人は、グループを変更し、メンバーを追加したり外したりできます。',
    handOver: '引き継ぐ',
    choose: (name: string) => `${name}さんに引き継ぐ`,
    nobodyElse: 'まだほかのメンバーがいません。',
    confirmTitle: (group: string, name: string) => `「${group}」を${name}さんに引き継ぎますか？`,
    confirmHelp: (name: string) =>
      `以後は${name}さんがこのグループを管理します。引き継ぎはチャットでメンバー全員に表示されます。`,
    confirmHelpForOwner: (name: string) =>
      `以後は${name}さんがこのグループを管理し、あなたはほかの人と同じメンバーになります。引き継ぎはチャットでメンバー全員に表示されます。`,
    more: 'その他',
    close: '閉じる',
  },
})
