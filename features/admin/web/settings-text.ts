import { defineTexts } from '#web/i18n.ts'

export const joinText = defineTexts({
  en: {
    whoCanJoin: 'Who can join',
    open: 'Everybody',
    openHelp: 'Everybody who knows the address can register.',
    invitation: 'People with an invitation',
    invitationHelp: 'Admins make links and QR codes. Each can be used as often as you say.',
    closed: 'Nobody',
    closedHelp: 'Nobody can register. Members stay as they are.',
    toNewMembers: 'Make invitations',
  },
  ja: {
    whoCanJoin: '参加できる人',
    open: 'だれでも',
    openHelp: 'アドレスを知っている人はだれでも登録できます。',
    invitation: '招待された人',
    invitationHelp: '管理者が招待リンクとQRコードを作ります。使える回数も決められます。',
    closed: '受け付けない',
    closedHelp: 'だれも登録できません。今のメンバーはそのまま使えます。',
    toNewMembers: '招待を作る',
  },
})
