import { defineTexts } from '#web/i18n.ts'

export const audienceText = defineTexts({
  en: {
    whoCanSee: 'Who can see this',
    everyone: 'Anyone, visitors too',
    /** `everyone` in a community that only members can read. */
    allMembers: 'All members',
    members: 'Members',
    followers: 'My followers',
    oneGroup: 'One group',
    onlyMembers: 'Only members can see this',
    onlyFollowers: 'Only followers can see this',
    onlyGroup: (name: string | undefined) =>
      name === undefined ? 'Only one group can see this' : `Only the group “${name}” can see this`,
  },
  ja: {
    whoCanSee: '公開範囲',
    everyone: 'だれでも（メンバー以外も）',
    allMembers: 'メンバー全員',
    members: 'メンバーだけ',
    followers: '自分のフォロワーだけ',
    oneGroup: 'グループ',
    onlyMembers: 'メンバーだけに公開',
    onlyFollowers: 'フォロワーだけに公開',
    onlyGroup: (name: string | undefined) =>
      name === undefined ? 'グループだけに公開' : `グループ「${name}」だけに公開`,
  },
})
