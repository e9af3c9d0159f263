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

export const readText = defineTexts({
  en: {
    whoCanRead: 'Who can read',
    everyone: 'Everybody',
    everyoneHelp: 'Everybody who knows the address can read the posts and see their pictures.',
    members: 'Members only',
    membersHelp:
      'Everybody else sees only the name of the community and the log-in page. Pictures that they have seen before may stay in their browsers.',
  },
  ja: {
    whoCanRead: '閲覧できる人',
    everyone: 'だれでも',
    everyoneHelp: 'アドレスを知っている人はだれでも、投稿とその画像を見られます。',
    members: 'メンバーだけ',
    membersHelp:
      'ほかの人に見えるのは、コミュニティーの名前とログイン画面だけです。以前に表示された画像は、相手のブラウザーに残ることがあります。',
  },
})
