import { useMutation } from '@tanstack/react-query'
import { useCallback } from 'react'
import { san } from '#core/text/honorific.ts'
import { callEndpoint, requestCsrf } from '#web/api.ts'
import { useErrorText } from '#web/errors.ts'
import { Dot, defineTexts, useText } from '#web/i18n.ts'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { ShortDate } from '#web/ui/RelativeTime.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { PersonName } from '#web/ui/UserText.tsx'
import { peopleEndpoints } from '../contract.ts'

const foreignAccountText = defineTexts({
  en: {
    registered: 'Registered with this address: ',
    help: 'If that was you, log in, and open the link of the mail again. If somebody else has chosen the password, choose your own: it ends everything else.',
    logIn: 'Log in',
    choosePassword: 'Choose a password',
    notMe: 'It was not me',
    wasIt: (name: string) => `${name} has registered this address. Was it you?`,
    look: 'It was not me…',
  },
  ja: {
    registered: 'このアドレスの登録：',
    help: 'ご本人の登録なら、ログインしてからメールのリンクをもう一度開いてください。ほかの人がパスワードを決めた場合は、ご自分のパスワードに変えると、ほかの端末などからは使えなくなります。',
    logIn: 'ログイン',
    choosePassword: 'パスワードを決める',
    notMe: '登録していません',
    wasIt: (name: string) => `このアドレスは、${san(name)}の名前で登録されています。ご本人ですか？`,
    look: '登録していません…',
  },
})

export interface Registered {
  name: string
  created_at: string
}
interface Props {
  registered: Registered
  link: { id?: string; hash?: string; search: string }
}

/** In a browser not of the account: the address leaves it, or its owner chooses a password. */
export function ForeignAccount({ registered: { name, created_at }, link }: Props) {
  const t = useText(foreignAccountText)
  const explain = useErrorText()
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: async () => {
      await requestCsrf()
      const { id, hash, search } = link
      const signed = Object.fromEntries(new URLSearchParams(search))
      return callEndpoint(peopleEndpoints.disownEmail, { ...signed, id: id ?? '', hash: hash ?? '' })
    },
  })
  if (data) return <Notice kind="success">{data.message}</Notice>
  return (
    <>
      <p>
        {t.registered}
        <PersonName>{name}</PersonName>
        <Dot />
        <ShortDate at={created_at} />
      </p>
      <p className="text-soft">{t.help}</p>
      <ButtonLink fullWidth href={`/login?next=${encodeURIComponent(location.pathname + location.search)}`}>
        {t.logIn}
      </ButtonLink>
      <ButtonLink fullWidth href="/forgot-password">
        {t.choosePassword}
      </ButtonLink>
      <Button fullWidth pending={isPending} onClick={() => mutate()}>
        {t.notMe}
      </Button>
      {error && <Notice kind="error">{explain(error)}</Notice>}
    </>
  )
}

/** The toast asks whether it was the person, and stays while the page changes. */
export function useRegisteredToast() {
  const t = useText(foreignAccountText)
  return useCallback(
    ({ name }: Registered, run: () => void) => showToast(t.wasIt(name), { action: { label: t.look, run } }),
    [t],
  )
}
