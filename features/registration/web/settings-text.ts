import { defineTexts, pluralSuffix } from '#web/i18n.ts'

export const whoCanJoinText = defineTexts({
  en: {
    whoCanJoin: 'Who can join',
    open: 'Everybody',
    openHelp: 'Everybody who knows the address can register.',
    invitation: 'People with an invitation',
    invitationHelp: 'Admins make links and QR codes. Each can be used as often as you say.',
    approval: 'People whom an admin approves',
    approvalHelp:
      'Everybody can ask to join, and answers a question. An admin decides. People with an invitation join at once.',
    question: 'The question',
    questionHelp: (max: number, standard: string) => `At most ${max} characters. Empty: “${standard}”`,
    saveQuestion: 'Save question',
    closed: 'Nobody',
    closedHelp: 'Nobody can register. Members stay as they are.',
    toNewMembers: 'Make invitations',
    toRequests: 'Requests and invitations',
  },
  ja: {
    whoCanJoin: '参加できる人',
    open: 'だれでも',
    openHelp: 'アドレスを知っている人はだれでも登録できます。',
    invitation: '招待された人',
    invitationHelp: '管理者が招待リンクとQRコードを作ります。使える回数も決められます。',
    approval: '管理者が承認した人',
    approvalHelp:
      'だれでも、質問に答えて申し込めます。管理者が承認すると参加できます。招待された人は、すぐに参加できます。',
    question: '申し込みのときの質問',
    questionHelp: (max: number, standard: string) =>
      `${max}文字まで。空欄のときは「${standard}」と聞きます。`,
    saveQuestion: '質問を保存',
    closed: '受け付けない',
    closedHelp: 'だれも登録できません。今のメンバーはそのまま使えます。',
    toNewMembers: '招待を作る',
    toRequests: '申し込みと招待',
  },
})

export const whoCanInviteText = defineTexts({
  en: {
    whoCanInvite: 'Who can invite',
    admins: 'Admins',
    adminsHelp: 'Only admins make links and QR codes with which people register.',
    members: 'All members',
    membersHelp: (open: number, uses: number) =>
      `Each member can have ${open} open invitations, each for up to ${uses} people. You see in the list of users who invited whom.`,
  },
  ja: {
    whoCanInvite: '招待できる人',
    admins: '管理者',
    adminsHelp: '登録に使うリンクとQRコードを作れるのは、管理者だけです。',
    members: 'メンバー全員',
    membersHelp: (open: number, uses: number) =>
      `メンバーは1人${open}件まで招待を作れ、1件の招待で${uses}人まで登録できます。だれがだれを招待したかは、メンバー一覧でわかります。`,
  },
})

export const newMemberText = defineTexts({
  en: {
    newMembers: 'Limits for new members',
    limitFor: (n: number) => `New members have tighter limits for ${n} days`,
    help: 'They write at most 5 posts an hour, send 20 pictures a day, follow 20 people an hour, begin 5 chats a day with people who do not follow them, create 2 groups and add 20 people to groups a day, and invite nobody. It ends earlier for people whom an admin or a moderator knows: they say so on the person’s page.',
    off: 'No limits',
    days: (n: number) => `${n} day${pluralSuffix(n)}`,
  },
  ja: {
    newMembers: '新しいメンバーの制限',
    limitFor: (n: number) => `登録から${n}日間は、投稿などの回数を制限する`,
    help: '登録してすぐの人の回数を制限します。1時間に：投稿5件、フォロー20人。1日に：画像20枚、新しいチャット5件、グループの作成2個、グループへの追加20人。招待はできません。知り合いは、その人のページで管理者やモデレーターが確認すると、すぐに制限がなくなります。',
    off: '制限しない',
    days: (n: number) => `${n}日間`,
  },
})

export const whoCanReadText = defineTexts({
  en: {
    whoCanRead: 'Who can read',
    everyone: 'Everybody',
    everyoneHelp: 'Everybody who knows the address can read the posts and see their pictures.',
    members: 'Members only',
    membersHelp:
      'Everybody else sees only the name of the community and the log-in page. Pictures that they have seen before may stay in their browsers.',
  },
  ja: {
    whoCanRead: '見られる人',
    everyone: 'だれでも',
    everyoneHelp: 'アドレスを知っている人はだれでも、投稿とその画像を見られます。',
    members: 'メンバーだけ',
    membersHelp:
      'ほかの人に見えるのは、コミュニティーの名前とログイン画面だけです。以前に表示された画像は、相手のブラウザーに残ることがあります。',
  },
})

export const languageText = defineTexts({
  en: {
    language: 'Language',
    languageHelp: 'For people who have not chosen a language themselves.',
    byBrowser: 'The language of the browser',
    timeZone: 'Time zone',
    timeZoneHelp: 'For times in mails. Pages and archives show the time of the device.',
  },
  ja: {
    language: '言語',
    languageHelp: '自分で言語を選んでいない人に使われます。',
    byBrowser: 'ブラウザーの言語',
    timeZone: 'タイムゾーン',
    timeZoneHelp: 'メールの日時に使われます。画面とデータの控えには、端末の時刻で表示されます。',
  },
})
