import { texts } from '#web/i18n.ts'

export const lightboxText = texts({
  en: {
    pictures: 'Pictures',
    place: (place: number, of: number) => `${place} of ${of}`,
    close: 'Close',
    earlier: 'Earlier picture',
    later: 'Later picture',
  },
  ja: {
    pictures: '画像',
    place: (place: number, of: number) => `${place} / ${of}`,
    close: '閉じる',
    earlier: '前の画像',
    later: '次の画像',
  },
})
