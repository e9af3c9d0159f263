import { defineTexts } from '#web/i18n.ts'

export const registrationText = defineTexts({
  en: {
    closed: 'This community does not take new members at the moment.',
    closedHelp: 'If you have an account, you can log in.',
    invitationNeeded: 'You need an invitation to join this community.',
    invitationNeededHelp:
      'Open the link, or scan the QR code, that you got from a member. If you have a code, you can type it here.',
    code: 'Code of the invitation',
    codeHelp: 'Type the code from the card. If you have a link or a QR code, open that instead.',
    haveCode: 'I have an invitation code',
    withoutCode: 'Continue without a code',
    continue: 'Continue',
    invited: 'You are invited. Please choose what you log in with.',
    logIn: 'Log in',
  },
  ja: {
    closed: 'このコミュニティーは、現在新しいメンバーを受け付けていません。',
    closedHelp: 'アカウントをお持ちの方は、ログインできます。',
    invitationNeeded: 'このコミュニティーに参加するには、招待が必要です。',
    invitationNeededHelp:
      'メンバーから受け取ったリンクを開くか、QRコードを読み取ってください。コードは、ここに入力することもできます。',
    code: '招待コード',
    codeHelp:
      'カードに書かれたコードを入力してください。リンクやQRコードがあれば、そちらを開くだけで済みます。',
    haveCode: '招待コードをお持ちの方',
    withoutCode: 'コードなしで続ける',
    continue: '次へ',
    invited: '招待を確認しました。お名前と、ログインに使う情報を入力してください。',
    logIn: 'ログイン',
  },
})

export const joinRequestText = defineTexts({
  en: {
    title: 'Your request to join',
    help: 'Admins decide who joins. Please introduce yourself; only they read your answer.',
    standardQuestion: 'How do you know this community?',
    tooLong: (max: number) => `At most ${max} characters.`,
    send: 'Ask to join',
    verifyHelp: 'Confirm that this is your email address. Then the admins see your request.',
    verify: 'Confirm the address',
    logIn: 'Log in',
    again: 'Ask again',
    unverified: 'Please open the link in the mail that we have sent to you.',
    unverifiedHelp:
      'It confirms your address, and is valid for 24 hours. Then the admins see your request. If no mail comes, look among the unwanted mails.',
    waiting: 'Your request is with the admins.',
    waitingHelp:
      'You can close this page, and log in as soon as they have approved. A request ends after 30 days.',
    waitingMail: 'If your address is confirmed, you get a mail when they have decided.',
    approved: 'Welcome! An admin has approved your request.',
    approvedHelp: 'Log in with your email address and the password that you chose.',
    refused: 'The admins have not approved your request.',
    refusedHelp: 'Your name, your address and your answer have been deleted.',
    ended: 'This request does not exist any more.',
    endedHelp: 'It may be too old, or you have sent another one since. If it was approved, you can log in.',
  },
  ja: {
    title: '参加の申し込み',
    help: '参加するには、管理者の承認が必要です。簡単な自己紹介をお書きください。読むのは管理者だけです。',
    standardQuestion: 'このコミュニティーとのつながりを教えてください。',
    tooLong: (max: number) => `${max}文字以内で入力してください。`,
    send: '申し込む',
    verifyHelp:
      'このメールアドレスがご本人のものであることを確認してください。そのあと、管理者に申し込みが届きます。',
    verify: 'アドレスを確認する',
    logIn: 'ログイン',
    again: 'もう一度申し込む',
    unverified: 'お送りしたメールのリンクを開いてください。',
    unverifiedHelp:
      'リンクは24時間有効です。アドレスを確認すると、管理者に申し込みが届きます。メールが届かない場合は、迷惑メールもご確認ください。',
    waiting: '管理者が申し込みを確認しています。',
    waitingHelp:
      'このページは閉じてもかまいません。承認されると、ログインできます。申し込みは30日で自動的に消えます。',
    waitingMail: '決まりましたら、確認済みのアドレスにメールでお知らせします。',
    approved: 'ようこそ。管理者が申し込みを承認しました。',
    approvedHelp: 'メールアドレスと、申し込みのときに決めたパスワードでログインしてください。',
    refused: '今回の申し込みは、見送られました。',
    refusedHelp: 'お名前、メールアドレス、回答は削除されました。',
    ended: 'この申し込みは見つかりません。',
    endedHelp:
      '期限が切れたか、新しい申し込みに置き換わった可能性があります。承認された場合は、ログインできます。',
  },
})

export const pictureText = defineTexts({
  en: {
    picture: 'Picture of the community (optional)',
    pictureHelp:
      'Shown at the log-in, at the registration, and on the home screens of phones. If only members may read, strangers do not see it.',
    choosePicture: 'Choose a picture',
    chosenPicture: 'The picture of the community',
    removePicture: 'Remove the picture',
    pictureSaved: 'Picture saved.',
    pictureRemoved: 'Picture removed.',
    pictureNotSaved:
      'The picture of the community could not be saved. You can choose it again in the settings.',
  },
  ja: {
    picture: 'コミュニティーの画像（任意）',
    pictureHelp:
      'ログインと登録のページ、スマートフォンのホーム画面に表示されます。見られる人がメンバーだけの場合、ほかの人には表示されません。',
    choosePicture: '画像を選ぶ',
    chosenPicture: 'コミュニティーの画像',
    removePicture: '画像を削除',
    pictureSaved: '画像を保存しました。',
    pictureRemoved: '画像を削除しました。',
    pictureNotSaved: 'コミュニティーの画像を保存できませんでした。設定でもう一度選べます。',
  },
})
