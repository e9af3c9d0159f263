import { defineTexts } from '#web/i18n.ts'
import { pairTextBeforeAndAfterName } from './text.ts'

export const childAccountDialogText = defineTexts({
  en: {
    item: 'Child’s account…',
    chip: 'Child',
    withoutGuardian: 'Child without a guardian',
    title: pairTextBeforeAndAfterName('Account of a child: ', ''),
    help: 'Guardians decide about new contacts outside the child’s groups. They see with whom the child talks, but not what they write. Existing contacts stay; the guardians can end them.',
    guardian: 'Handle of a guardian',
    second: 'Handle of a second guardian (optional)',
    endsOn: 'Until the birthday on',
    endsOnHint: 'From this day on it is an ordinary account.',
    save: 'Save',
    cancel: 'Cancel',
    end: 'End now',
    endTitle: pairTextBeforeAndAfterName('End the child’s account of ', ' now?'),
    endHelp:
      'Everybody can then be in touch, and the guardians see nothing more. If you mark the account again within a year, their decisions count again.',
    saved: pairTextBeforeAndAfterName('', ' has the account of a child.'),
    ended: pairTextBeforeAndAfterName('', ' has an ordinary account again.'),
  },
  ja: {
    item: 'お子さまのアカウント…',
    chip: 'お子さま',
    withoutGuardian: '保護者のいないお子さま',
    title: pairTextBeforeAndAfterName('お子さまのアカウント：', 'さん'),
    help: 'グループの外の人との新しいやり取りを、保護者が承認します。保護者には、やり取りの相手は見えますが、内容は見えません。今までの連絡先はそのままで、保護者があとから断れます。',
    guardian: '保護者のハンドル',
    second: '2人目の保護者のハンドル（任意）',
    endsOn: '終わりの日（誕生日）',
    endsOnHint: 'この日から、通常のアカウントになります。',
    save: '保存',
    cancel: 'キャンセル',
    end: '今すぐ終了',
    endTitle: pairTextBeforeAndAfterName('', 'さんの、お子さまのアカウントを今すぐ終了しますか？'),
    endHelp:
      '誰とでもやり取りできるようになり、保護者には何も見えなくなります。1年以内にもう一度お子さまのアカウントにすると、保護者の判断がふたたび有効になります。',
    saved: pairTextBeforeAndAfterName('', 'さんを、お子さまのアカウントにしました。'),
    ended: pairTextBeforeAndAfterName('', 'さんは、通常のアカウントに戻りました。'),
  },
})
