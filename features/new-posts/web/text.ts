import { san } from '#core/text/honorific.ts'
import { defineTexts } from '#web/i18n.ts'

export const bellText = defineTexts({
  en: {
    bell: 'Tell me of new posts',
    /** In a menu. */
    end: 'Stop telling me of new posts',
    everybody: 'You hear of every new post',
    chosen: (name: string) => `You will hear of new posts by ${name}.`,
    dropped: (name: string) => `You no longer hear of new posts by ${name}.`,
    chosenGroup: 'You will hear of new posts for this group.',
    droppedGroup: 'You no longer hear of new posts for this group.',
  },
  ja: {
    bell: '新しい投稿の通知を受け取る',
    end: '新しい投稿の通知をやめる',
    everybody: '全員の新しい投稿が通知されます',
    chosen: (name: string) => `${san(name)}の新しい投稿が通知されます。`,
    dropped: (name: string) => `${san(name)}の新しい投稿は、通知されなくなりました。`,
    chosenGroup: 'このグループの新しい投稿が通知されます。',
    droppedGroup: 'このグループの新しい投稿は、通知されなくなりました。',
  },
})

export const choiceText = defineTexts({
  en: {
    title: 'New posts',
    help: 'Whose new posts you hear of in the app. On your devices too, if you turn that on in the table above.',
    mode: 'Tell me of new posts by',
    everybody: 'Everyone',
    chosen: 'People and groups that I choose',
    chosenHelp: 'Press “Tell me of new posts” on a profile, or in the menu of a group.',
    nobody: 'Nobody',
    isDefault: 'You have not chosen yet. In a small community, everyone hears of every post.',
    saved: 'Saved.',
    list: 'Chosen',
    none: 'You have chosen nobody yet.',
    findPeople: 'Find people',
    group: 'Group',
    remove: 'Remove',
    removeOne: (name: string) => `Remove ${name}`,
  },
  ja: {
    title: '新しい投稿',
    help: 'だれの新しい投稿をアプリ内で通知するか、選べます。端末にも通知するには、上の表でオンにしてください。',
    mode: '通知する投稿',
    everybody: '全員',
    chosen: '選んだ人とグループ',
    chosenHelp: 'プロフィールやグループのメニューにある「新しい投稿の通知を受け取る」で選びます。',
    nobody: '通知しない',
    isDefault: 'まだ選んでいません。人数の少ないコミュニティーでは、はじめは全員の投稿が通知されます。',
    saved: '保存しました。',
    list: '選んだ人とグループ',
    none: 'まだだれも選んでいません。',
    findPeople: '人をさがす',
    group: 'グループ',
    remove: '外す',
    removeOne: (name: string) => `${san(name)}を外す`,
  },
})
