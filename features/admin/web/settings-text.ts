import { defineTexts } from '#web/i18n.ts'

export const joinText = defineTexts({
  en: {
    whoCanJoin: 'Who can join',
    open: 'Everybody',
    openHelp: 'Everybody who knows the address can register.',
    closed: 'Nobody',
    closedHelp: 'Nobody can register. Members stay as they are.',
  },
  ja: {
    whoCanJoin: '参加できる人',
    open: 'だれでも',
    openHelp: 'アドレスを知っている人はだれでも登録できます。',
    closed: '受け付けない',
    closedHelp: 'だれも登録できません。今のメンバーはそのまま使えます。',
  },
})
