import { san } from '#core/text/honorific.ts'
import { defineTexts } from '#web/i18n.ts'

export const attachmentsText = defineTexts({
  en: {
    title: 'Pictures, files and links',
    kinds: { picture: 'Pictures', file: 'Files', link: 'Links' },
    tabs: 'Kinds',
    search: 'Search here',
    empty: {
      picture: 'No pictures yet',
      file: 'No files yet',
      link: 'No links yet',
    },
    emptyHelp: 'As soon as somebody shares one, it is here.',
    open: (number: number, name: string) => `Picture ${number}, from ${name}`,
    show: 'Show where it was shared',
    loadMore: 'Load more',
    noMore: 'That is all.',
  },
  ja: {
    title: '画像・ファイル・リンク',
    kinds: { picture: '画像', file: 'ファイル', link: 'リンク' },
    tabs: '種類',
    search: 'ここで検索',
    empty: {
      picture: 'まだ画像はありません',
      file: 'まだファイルはありません',
      link: 'まだリンクはありません',
    },
    emptyHelp: 'だれかが送ると、ここに並びます。',
    open: (number: number, name: string) => `${san(name)}の画像（${number}枚目）`,
    show: '元の場所を見る',
    loadMore: 'もっと見る',
    noMore: 'これですべてです。',
  },
})
