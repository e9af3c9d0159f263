import { defineTexts } from '#web/i18n.ts'

export const linkText = defineTexts({
  en: {
    title: 'Link and QR code',
    help: (days: number) =>
      `Members of the community who have the link join at once, also while the group is in no list. It works for ${days} days.`,
    hasLink: (date: string) => `There is a link until ${date}. To see one again, make a new one.`,
    create: 'Make a link',
    renew: 'Make a new link',
    renewTitle: 'Make a new link?',
    renewHelp: 'The link of before ends, and with it what was printed or sent.',
    end: 'End the link',
    endTitle: 'End the link?',
    endHelp: 'Nobody can join with it any more, nor with what was printed. Whoever has joined stays.',
    shownOnce: 'Copy or print it now: it is shown only this once. Links of before have ended.',
    qrCode: (group: string) => `QR code to join ${group}`,
    share: 'Share…',
    copy: 'Copy link',
    copied: 'Link copied.',
    copyFailed: 'The browser could not copy the link.',
    print: 'Print',
  },
  ja: {
    title: 'リンクとQRコード',
    help: (days: number) =>
      `リンクを受け取ったコミュニティーのメンバーは、一覧に載っていないグループにも、すぐに参加できます。${days}日間使えます。`,
    hasLink: (date: string) => `${date}まで使えるリンクがあります。もう一度見るには、作り直してください。`,
    create: 'リンクを作成',
    renew: 'リンクを作り直す',
    renewTitle: 'リンクを作り直しますか？',
    renewHelp: '印刷したものや送ったものも含めて、前のリンクでは参加できなくなります。',
    end: 'リンクを無効にする',
    endTitle: 'リンクを無効にしますか？',
    endHelp: '印刷したものも含めて、このリンクでは参加できなくなります。参加した人は、そのままです。',
    shownOnce: '表示されるのは今回だけです。コピーするか、印刷してください。前のリンクは使えません。',
    qrCode: (group: string) => `「${group}」に参加するQRコード`,
    share: '共有…',
    copy: 'リンクをコピー',
    copied: 'リンクをコピーしました。',
    copyFailed: 'リンクをコピーできませんでした。',
    print: '印刷',
  },
})

/** On paper. */
export const sheetText = {
  en: {
    use: 'Scan the code with a phone to join this group.',
    until: (date: string) => `Valid until ${date}`,
  },
  ja: {
    use: 'スマートフォンでQRコードを読み取ると、このグループに参加できます。',
    until: (date: string) => `有効期限：${date}`,
  },
}
