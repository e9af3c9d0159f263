import { defineTexts } from '#web/i18n.ts'

export const healthText = defineTexts({
  en: {
    title: 'Health',
    help: 'What the server found when it checked itself just now. On the command line, bin/engawa doctor shows the same.',
    checkAgain: 'Check again',
    statuses: { ok: 'OK', attention: 'Attention', problem: 'Problem' },
    summary: (problems: number, attentions: number) =>
      problems + attentions === 0
        ? 'Everything is fine.'
        : [
            problems && `${problems} ${problems === 1 ? 'problem' : 'problems'}`,
            attentions && `${attentions} to look at`,
          ]
            .filter(Boolean)
            .join(', '),
    toDo: 'What to do:',
    sendTestMail: 'Test mail',
    testMailHelp: 'A test mail goes to your own address.',
    mailAccepted: 'The mail server accepted the mail. If it does not arrive, look for it in the spam folder.',
    mailRefused: 'The mail was not sent.',
    mailAnswer: 'Answer of the mail server: ',
    retryMailsHelp: 'Once the mail server works, you can send the mails again that were given up.',
    retryMails: 'Send again',
    mailsRetried: (n: number) =>
      n === 1 ? 'The mail is on its way again.' : `${n} mails are on their way again.`,
    storage: 'Storage',
    storageKinds: {
      database: 'Database',
      backups: 'Backups on this server',
      post_pictures: 'Pictures and files of posts',
      reply_pictures: 'Pictures and files of replies',
      chat_pictures: 'Pictures and files of chats',
      album_pictures: 'Pictures of albums',
      profile_pictures: 'Profile pictures',
      archives: 'Archives of members',
    },
    fileCount: (n: number, lang: string) => `${n.toLocaleString(lang)} ${n === 1 ? 'file' : 'files'}`,
    largestMembers: 'Members with the largest files',
    versions: 'Versions',
  },
  ja: {
    title: 'サーバーの状態',
    help: '今、サーバーの状態を調べた結果です。コマンドの bin/engawa doctor でも、同じ内容を見られます。',
    checkAgain: 'もう一度調べる',
    statuses: { ok: '正常', attention: '要確認', problem: '問題' },
    summary: (problems: number, attentions: number) =>
      problems + attentions === 0
        ? 'すべて正常です。'
        : [problems && `問題${problems}件`, attentions && `要確認${attentions}件`].filter(Boolean).join('、'),
    toDo: '対処：',
    sendTestMail: 'テストメール',
    testMailHelp: 'テストメールは自分のアドレスに届きます。',
    mailAccepted:
      'メールサーバーがメールを受け付けました。届かない場合は、迷惑メールフォルダーを確認してください。',
    mailRefused: 'メールを送信できませんでした。',
    mailAnswer: 'メールサーバーの応答：',
    retryMailsHelp: 'メールサーバーが直ったら、送信をあきらめたメールをもう一度送れます。',
    retryMails: 'もう一度送る',
    mailsRetried: (n: number) => `${n}通のメールを、もう一度送っています。`,
    storage: '保存容量',
    storageKinds: {
      database: 'データベース',
      backups: 'このサーバー上のバックアップ',
      post_pictures: '投稿の画像・ファイル',
      reply_pictures: '返信の画像・ファイル',
      chat_pictures: 'チャットの画像・ファイル',
      album_pictures: 'アルバムの画像',
      profile_pictures: 'プロフィール画像',
      archives: 'メンバーのデータの控え',
    },
    fileCount: (n: number, lang: string) => `${n.toLocaleString(lang)}件`,
    largestMembers: '使用容量の多いメンバー',
    versions: 'バージョン',
  },
})
