import { defineTexts } from '#web/i18n.ts'

export const lightboxText = defineTexts({
  en: {
    pictures: 'Pictures',
    position: (position: number, of: number) => `${position} of ${of}`,
    close: 'Close',
    previous: 'Previous picture',
    next: 'Next picture',
  },
  ja: {
    pictures: '画像',
    position: (position: number, of: number) => `${position} / ${of}`,
    close: '閉じる',
    previous: '前の画像',
    next: '次の画像',
  },
})
