import { defineTexts } from '#web/i18n.ts'

/**
 * The texts of delivery steps, of the dialog “How it reached you” of a message, and of the page with all
 * deliveries.
 */
export const deliveryText = defineTexts({
  en: {
    title: 'How it reached you',
    settings: 'Notification settings',
    shortSettings: 'Settings',
    help: 'Messages and notifications of the last seven days, and how each of them found its way to you. Only you can see this page.',
    nothingYet: 'Nothing in the last seven days.',
    nothingYetHelp: 'Messages from others and your notifications appear here with their way to you.',
    showMore: 'Show more',
    close: 'Close',
    inGroup: (group: string) => `in ${group}`,
    privateMessage: 'wrote to you',
    channels: { app: 'In the app', live: 'Open windows', push: 'Devices', mail: 'Mail' },
    device: 'Your device',
    /**
     * The end of a sentence such as “was sent”: `atTime` for a time of today, `onDay` for a time of another
     * day.
     */
    atTime: (clock: string) => `at ${clock}`,
    onDay: (day: string, clock: string) => `on ${day} at ${clock}`,
    stored: (time: string) => `Stored ${time}`,
    shown: (windows: number) =>
      windows === 1 ? 'Shown at once in an open window' : `Shown at once in ${windows} open windows`,
    noWindow: 'No window was open at that time',
    mutedLive: 'Not shown at once, because you have muted this person',
    unknownLive: 'It is not known whether a window was open',
    accepted: (device: string, time: string) => `${device}: its push service took it ${time}`,
    refused: (device: string, reason: string) =>
      `${device}: its push service refused it (${reason}). It is not tried again.`,
    gone: (device: string) =>
      `${device}: its push service no longer knew it, so it was removed here. Turn notifications on again on it.`,
    /**
     * Describes a push message that is tried again. `until` is an empty text if the time of the next attempt
     * is unknown.
     */
    delayed: (device: string, what: string, time: string, until: string) =>
      `${device}: its push service ${what} ${time}. It is tried again${until && ` after ${until}`}.`,
    busy: 'was busy',
    failing: (status: string) => `had a problem (${status})`,
    silent: 'did not answer',
    held: (until: string) => `Held back by quiet hours until ${until}`,
    waiting: 'On its way to your devices',
    waitingFor: (device: string) => `${device}: waits to be sent`,
    dropped: {
      read: 'Not sent: you had read it already',
      muted: 'Not sent: you have muted this chat or person',
      unavailable: 'Not sent: it was gone by then',
      switched_off: 'Not sent: you have turned this kind off for devices',
      too_old: 'Not sent: it had waited for more than a day',
      too_many: 'Not sent: too many newer ones were waiting',
      device_removed: 'Not sent: the device was removed before',
    },
    noDevice: 'No device received notifications',
    turnOn: 'Turn them on',
    asMessage: 'The message itself is what your devices get',
    unknownPush: 'It is not known what became of it. The device may have been logged out.',
    queued: (time: string) => `A mail about what is new was prepared ${time}`,
    sent: (time: string) => `A mail about what is new was sent ${time}`,
    mailHeld: (until: string) => `The mail waits for the end of your quiet hours ${until}`,
    mailDelayed: (time: string) => `The mail server did not take the mail ${time}. It is tried again.`,
    mailDropped: {
      not_needed: 'No mail: it was no longer needed',
      refused: 'The mail server refused the mail',
      broken_off: 'The server stopped while it sent the mail, and does not send it twice',
    },
    noMail: {
      off: 'No mail: you have turned these mails off',
      switched_off: 'No mail: you have turned this kind off for mails',
      no_address: 'No mail: you have no verified address',
      not_away: 'No mail: mails come only when you have been away for a while',
    },
  },
  ja: {
    title: '通知の届きかた',
    settings: 'お知らせの設定',
    shortSettings: '設定',
    help: '直近7日間のメッセージとお知らせが、どのようにあなたに届いたかを確認できます。このページはあなただけが見られます。',
    nothingYet: '直近7日間にはまだありません。',
    nothingYetHelp: 'ほかの人からのメッセージとお知らせと、その届きかたがここに表示されます。',
    showMore: 'もっと見る',
    close: '閉じる',
    inGroup: (group: string) => `（${group}）`,
    privateMessage: 'からのメッセージ',
    channels: { app: 'アプリ内', live: '開いている画面', push: '端末', mail: 'メール' },
    device: 'あなたの端末',
    atTime: (clock: string) => clock,
    onDay: (day: string, clock: string) => `${day} ${clock}`,
    stored: (time: string) => `${time}に届きました`,
    shown: (windows: number) => `開いていた画面${windows}つにすぐに表示しました`,
    noWindow: 'そのとき、開いている画面はありませんでした',
    mutedLive: 'この人をミュートしているため、すぐには表示しませんでした',
    unknownLive: '画面が開いていたかどうかは分かりません',
    accepted: (device: string, time: string) => `${device}：プッシュサービスが${time}に受け取りました`,
    refused: (device: string, reason: string) =>
      `${device}：プッシュサービスに拒否されました（${reason}）。再送しません。`,
    gone: (device: string) =>
      `${device}：プッシュサービスに登録がなくなっていたため、削除しました。その端末で通知をもう一度オンにしてください。`,
    delayed: (device: string, what: string, time: string, until: string) =>
      `${device}：${time}にプッシュサービスが${what}。${until && `${until}以降に`}再送します。`,
    busy: '混み合っていました',
    failing: (status: string) => `エラーを返しました（${status}）`,
    silent: '応答しませんでした',
    held: (until: string) => `通知を控える時間のため、${until}まで待っています`,
    waiting: '端末に送信しています',
    waitingFor: (device: string) => `${device}：送信を待っています`,
    dropped: {
      read: '送信していません：すでに読んでいました',
      muted: '送信していません：このチャットまたは人をミュートしています',
      unavailable: '送信していません：すでに見られなくなっていました',
      switched_off: '送信していません：この種類の端末への通知はオフです',
      too_old: '送信していません：1日以上待っていました',
      too_many: '送信していません：新しい通知が多すぎました',
      device_removed: '送信していません：その前に端末が削除されました',
    },
    noDevice: '通知を受け取る端末がありませんでした',
    turnOn: 'オンにする',
    asMessage: '端末には、メッセージそのものを通知します',
    unknownPush: '送信の結果は分かりません。端末がログアウトした可能性があります。',
    queued: (time: string) => `${time}に新着のメールを準備しました`,
    sent: (time: string) => `${time}に新着のメールを送信しました`,
    mailHeld: (until: string) => `通知を控える時間が終わる${until}まで、メールを待っています`,
    mailDelayed: (time: string) => `${time}にメールサーバーが受け取りませんでした。再送します。`,
    mailDropped: {
      not_needed: 'メールなし：必要がなくなりました',
      refused: 'メールサーバーがメールを拒否しました',
      broken_off: '送信中にサーバーが停止しました。メールは二重には送りません',
    },
    noMail: {
      off: 'メールなし：新着のメールはオフです',
      switched_off: 'メールなし：この種類のメールはオフです',
      no_address: 'メールなし：確認済みのメールアドレスがありません',
      not_away: 'メールなし：しばらく利用していないときにだけ届きます',
    },
  },
})
export type DeliveryText = (typeof deliveryText)['en']

/** The texts of the links to the page that lists all deliveries. */
export const deliveriesPageLinkText = defineTexts({
  en: {
    title: 'Did something not reach you?',
    help: 'See how messages and notifications of the last seven days reached your windows, devices and mailbox.',
    link: 'How it reached you',
  },
  ja: {
    title: '届いていないものがありますか？',
    help: '直近7日間のメッセージとお知らせが、画面、端末、メールにどのように届いたかを確認できます。',
    link: '通知の届きかたを見る',
  },
})

/** The texts of the section about deliveries on the admin health page. */
export const deliveryHealthText = defineTexts({
  en: {
    title: 'Deliveries',
    help: 'How messages and notifications reach members, without their contents and without names.',
    channels: { live: 'Open windows', push: 'Push messages', mail: 'Mail' },
    lastSuccess: 'Last success',
    never: 'None in the last seven days',
    accepted: 'Delivered',
    refused: 'Refused',
    lost: 'Traces lost',
    delayed: 'Put off',
    waiting: 'Waiting',
    waitingSince: 'oldest',
    /** Formats the count of the last day and that of the last seven days as one text. */
    counts: (day: string, week: string) => `${day} in a day, ${week} in a week`,
    providers: 'Push services',
    noProviders: 'No push message was sent in the last seven days.',
    paused: 'Left alone, because it does not answer',
    reasons: { timeout: 'No answer in time', unreachable: 'Not reachable', paused: 'Left alone' },
    status: (status: string) => `Answer ${status}`,
  },
  ja: {
    title: '配信',
    help: 'メッセージとお知らせがメンバーに届いている状況です。内容と名前は含みません。',
    channels: { live: '開いている画面', push: 'プッシュ通知', mail: 'メール' },
    lastSuccess: '最後の成功',
    never: '直近7日間にはありません',
    accepted: '配信',
    refused: '拒否',
    lost: '失われた記録',
    delayed: '延期',
    waiting: '待機中',
    waitingSince: '最も古いもの',
    counts: (day: string, week: string) => `1日で${day}件、1週間で${week}件`,
    providers: 'プッシュサービス',
    noProviders: '直近7日間に送信したプッシュ通知はありません。',
    paused: '応答がないため、送信を休止しています',
    reasons: { timeout: '時間内に応答なし', unreachable: '接続できない', paused: '休止中' },
    status: (status: string) => `応答 ${status}`,
  },
})
