import { defineTexts } from '#web/i18n.ts'

export const exampleContentText = defineTexts({
  en: {
    help: 'Three invented people with posts and a group show how the community looks with people in it. They cannot log in, and you can remove all of them at once.',
    exist:
      'There are examples. If you remove them, what members wrote to them stays, as after the deletion of an account.',
    fillIn: 'Fill in examples',
    remove: 'Remove the examples',
    created: 'The examples are there.',
    removed: 'The examples are removed.',
  },
  ja: {
    help: '架空の3人と、その投稿とグループを作成します。人が集まったときの様子がわかります。この3人はログインできません。あとでまとめて削除できます。',
    exist:
      'サンプルがあります。削除しても、メンバーがサンプルの人に送ったメッセージは、アカウントの削除のときと同じように残ります。',
    fillIn: 'サンプルを作成',
    remove: 'サンプルを削除',
    created: 'サンプルを作成しました。',
    removed: 'サンプルを削除しました。',
  },
})
