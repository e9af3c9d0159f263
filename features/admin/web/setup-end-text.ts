import { defineTexts } from '#web/i18n.ts'

export const setupFinishedText = defineTexts({
  en: {
    inviteFirst: 'Invite the first members',
    howToInvite: (people: number, days: number) =>
      `Send the link, or let people scan the code. ${people} people can register with it in the next ${days} days. You can end it, or make others, on the page “New members”.`,
    closed: 'Nobody can join at the moment, so there is no invitation. You can change that in the settings.',
    toCommunity: 'Continue to the community',
    examples: 'Fill in examples',
    toDashboard: 'Go to the Admin Dashboard',
  },
  ja: {
    inviteFirst: '最初のメンバーを招待',
    howToInvite: (people: number, days: number) =>
      `リンクを送るか、QRコードを読み取ってもらってください。今後${days}日間に${people}人まで登録できます。「新しいメンバー」のページで、この招待を終了したり、ほかの招待を作成したりできます。`,
    closed: '今はだれも参加できないため、招待はありません。設定で変更できます。',
    toCommunity: 'コミュニティーへ進む',
    examples: 'サンプルを作成',
    toDashboard: '管理画面へ',
  },
})
