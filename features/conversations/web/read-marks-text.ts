import { defineTexts } from '#web/i18n.ts'

export const readMarksText = defineTexts({
  en: {
    dialogTitle: 'Who has seen this message',
    seen: 'Seen',
    notSeen: 'Not seen yet',
    seenByNobody: 'Nobody yet.',
    seenByAll: 'Nobody is missing.',
    hiddenHelp: 'People who do not show what they have read are not listed.',
    toSwitch: 'Change this',
    close: 'Close',
    more: 'Show more',

    sectionTitle: 'Read marks',
    sectionHelp:
      'Others see in chats up to where you have read. Without this, they do not see it, and you do not see it of them.',
    label: 'Show others what I have read',
    shown: 'Others see what you have read.',
    hidden: 'Others no longer see what you have read.',
  },
  ja: {
    dialogTitle: 'このメッセージを読んだ人',
    seen: '既読',
    notSeen: '未読',
    seenByNobody: 'まだ既読の人はいません。',
    seenByAll: '全員が読みました。',
    hiddenHelp: '既読を見せない設定の人は表示されません。',
    toSwitch: '設定を変える',
    close: '閉じる',
    more: 'もっと見る',

    sectionTitle: '既読',
    sectionHelp:
      'オンにすると、メッセージを読んだことが、相手に「既読」と表示されます。オフにすると、相手の既読も見られなくなります。',
    label: '既読を相手に見せる',
    shown: '既読を相手に表示するようにしました。',
    hidden: '既読を相手に表示しないようにしました。',
  },
})
