import { san } from '#core/text/honorific.ts'
import { defineTexts, pluralSuffix } from '#web/i18n.ts'

/** The specification quotes them in English; readers of Japanese see the translation instead. */
export const chatSpecTexts = {
  noFollowed: {
    children: 'You’re not following anyone yet.',
    translation: 'まだだれもフォローしていません。',
  },
  noGroups: {
    children: 'You haven’t joined any groups yet.',
    translation: 'まだどのグループにも入っていません。',
  },
  noUser: {
    children: 'Failed to retrieve the logged-in user.',
    translation: 'あなたの情報を読み込めませんでした。',
  },
} as const

export const joinWithAnd = (names: readonly string[]) =>
  names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${names.at(-1)}` : names[0]

export const chatText = defineTexts({
  en: {
    titles: { all: 'Chats', private: 'Direct Message', groups: 'Your Groups', unread: 'Unread' },
    filters: { all: 'All', private: 'Private', groups: 'Groups', unread: 'Unread' },
    unreadChats: 'Unread',
    noUnreadChats: 'No unread messages.',
    yourGroups: 'Your Groups',
    filterLabel: 'Chats to show',
    conversations: 'Conversations',
    startChat: 'Start a chat',
    newChat: 'New chat',
    nothingUnread: 'No unread messages.',
    followFirst: 'You can chat with people you follow.',
    searchUsers: 'Search Users',
    askAdmin: 'Ask an admin to add you to a group.',
    createGroup: 'Create Group',
    you: 'You',
    colon: ': ',
    picture: '📷 Picture',
    file: '📎 File',
    voice: '🎤 Voice message',
    video: '🎥 Video',
    deleted: 'This message was deleted',
    draft: 'Draft',
    choose: 'Choose somebody to chat with',
    chooseGroup: 'Choose a group',
    chooseChat: 'Choose a chat',
    findPeopleBefore: 'Or ',
    findPeopleLink: 'find people',
    findPeopleAfter: ' to follow.',
    onlineNow: 'Here now',
    members: (n: number) => `${n} member${pluralSuffix(n)}`,
    muteChat: 'Mute this chat',
    unmuteChat: 'Unmute this chat',
    deliveries: 'How messages reach you',
    mutedChat: 'Muted',
    hasEnded: 'Ended',
    retry: 'Retry',
    change: {
      created: (actor: string, _: string, name: string) => `${actor} created the group ${name}`,
      removed: (actor: string, person: string) => `${actor} removed ${person}`,
      left: (_: string, person: string) => `${person} left`,
      renamed: (actor: string, _: string, name: string) => `${actor} renamed the group to ${name}`,
      deleted: (actor: string) => `${actor} deleted the group`,
      description: (actor: string) => `${actor} changed the description`,
      picture: (actor: string) => `${actor} changed the picture of the group`,
      owner: (actor: string, person: string, isHandedOver: string) =>
        isHandedOver ? `${actor} handed the group over to ${person}` : `${person} manages the group now`,
      writers_all: (actor: string) => `${actor} lets everybody write here`,
      writers_chosen: (actor: string) => `${actor} chose who may write here`,
      access: (actor: string) => `${actor} changed who can join`,
      ended: (actor: string) => `${actor} ended the group`,
      reopened: (actor: string) => `${actor} opened the group again`,
      slow_mode: (actor: string, _: string, isOn: string) =>
        `${actor} turned ${isOn ? 'on' : 'off'} slow mode`,
    },
    joined: (person: string) => `${person} joined`,
    added(actor: string, others: readonly string[], isUserAdded: boolean) {
      const names = isUserAdded ? ['you', ...others] : others
      const shown = names.length > 3 ? [...names.slice(0, 2), `${names.length - 2} others`] : names
      return `${actor} added ${joinWithAnd(shown)}`
    },
    somebody: 'Somebody',
  },
  ja: {
    titles: { all: 'チャット', private: '個別チャット', groups: 'グループ', unread: '未読' },
    filters: { all: 'すべて', private: '個別', groups: 'グループ', unread: '未読' },
    unreadChats: '未読のチャット',
    noUnreadChats: '未読のメッセージはありません。',
    yourGroups: 'グループ',
    filterLabel: 'チャットの種類',
    conversations: '会話',
    startChat: 'チャットを始める',
    newChat: '新しいチャット',
    nothingUnread: '未読のメッセージはありません。',
    followFirst: 'フォローしている人とチャットができます。',
    searchUsers: 'メンバーを探す',
    askAdmin: 'グループに入りたいときは、管理者に頼んでください。',
    createGroup: 'グループ作成',
    you: 'あなた',
    colon: '：',
    picture: '📷 画像',
    file: '📎 ファイル',
    voice: '🎤 ボイスメッセージ',
    video: '🎥 動画',
    deleted: 'このメッセージは削除されました',
    draft: '下書き',
    choose: '話す相手を選んでください',
    chooseGroup: 'グループを選んでください',
    chooseChat: 'チャットを選んでください',
    findPeopleBefore: '新しい相手と話すには、',
    findPeopleLink: '人を探して',
    findPeopleAfter: 'フォローしてください。',
    onlineNow: 'オンライン',
    members: (n: number) => `メンバー${n}人`,
    muteChat: '通知をオフ',
    unmuteChat: '通知をオンに戻す',
    deliveries: '通知の届きかた',
    mutedChat: '通知オフ',
    hasEnded: '終了',
    retry: 'もう一度試す',
    change: {
      created: (actor: string, _: string, name: string) => `${san(actor)}がグループ「${name}」を作成しました`,
      removed: (actor: string, person: string) => `${san(actor)}が${san(person)}を外しました`,
      left: (_: string, person: string) => `${san(person)}が退出しました`,
      renamed: (actor: string, _: string, name: string) =>
        `${san(actor)}がグループ名を「${name}」に変更しました`,
      deleted: (actor: string) => `${san(actor)}がグループを削除しました`,
      description: (actor: string) => `${san(actor)}がグループの説明を変更しました`,
      picture: (actor: string) => `${san(actor)}がグループの画像を変更しました`,
      owner: (actor: string, person: string, isHandedOver: string) =>
        isHandedOver
          ? `${san(actor)}が、まとめ役を${san(person)}に交代しました`
          : `${san(person)}がまとめ役になりました`,
      writers_all: (actor: string) => `${san(actor)}が、メンバー全員が送れるようにしました`,
      writers_chosen: (actor: string) => `${san(actor)}が、メッセージを送れる人を決めました`,
      access: (actor: string) => `${san(actor)}が、参加のしかたを変更しました`,
      ended: (actor: string) => `${san(actor)}がグループを終了しました`,
      reopened: (actor: string) => `${san(actor)}がグループを再開しました`,
      slow_mode: (actor: string, _: string, isOn: string) =>
        `${san(actor)}が連続送信の制限を${isOn ? 'オンにしました' : 'オフにしました'}`,
    },
    joined: (person: string) => `${san(person)}が参加しました`,
    added(actor: string, others: readonly string[], isUserAdded: boolean) {
      const names = others.map((name) => san(name))
      if (isUserAdded) names.unshift('あなた')
      const shown =
        names.length > 3 ? `${names.slice(0, 2).join('、')}ほか${names.length - 2}人` : names.join('、')
      return `${san(actor)}が${shown}を追加しました`
    },
    somebody: 'ほかのメンバー',
  },
})
