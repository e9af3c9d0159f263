import '#features/people/web/account-pages.css'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { callEndpoint } from '#web/api.ts'
import { defineTexts, useText } from '#web/i18n.ts'
import { LoadError } from '#web/LoadError.tsx'
import { useReplacePageTitle } from '#web/title.ts'
import { ButtonLink } from '#web/ui/Button.tsx'
import { Loading } from '#web/ui/Loading.tsx'
import { DecorativeAvatars, PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { setupEndpoints } from '../contract.ts'
import { RegistrationForm } from './RegistrationForm.tsx'

const setupText = defineTexts({
  en: {
    title: 'Set up',
    open: 'The account that you register here becomes the admin of this community.',
    missing:
      'This page needs the set-up code. Open the complete link, which ends in /setup?code=…, from the log of the server (the terminal where it runs). The server prints it when it starts.',
    wrong_code:
      'The set-up code in this link is not correct. The newest link is in the log of the server (the terminal where it runs): the server prints it when it starts.',
    backToTop: 'Top',
    registered: 'Welcome',
    done: 'This community already has an admin. To become an admin too, register and then ask an admin.',
    register: 'Register',
  },
  ja: {
    title: 'セットアップ',
    open: 'ここで登録するアカウントが、このコミュニティーの管理者になります。',
    missing:
      'このページを使うには、セットアップコードが必要です。/setup?code=… で終わるリンクを開いてください。リンクは、サーバーの起動時にログ（サーバーを動かしているターミナル）に表示されます。',
    wrong_code:
      'このリンクのセットアップコードは正しくありません。最新のリンクは、サーバーの起動時にログ（サーバーを動かしているターミナル）に表示されます。',
    backToTop: 'トップ',
    registered: 'ようこそ',
    done: 'このコミュニティーにはすでに管理者がいます。管理者になるには、登録してから管理者に依頼してください。',
    register: '登録する',
  },
})

/** Registers the first admin, with the code of the link that the server prints at its start. */
export default function SetupPage() {
  const t = useText(setupText)
  const [code] = useState(() => new URLSearchParams(location.search).get('code') ?? '')
  const { data, error, refetch } = useQuery({
    queryKey: [setupEndpoints.state.path, code],
    queryFn: () => callEndpoint(setupEndpoints.state, { code }),
  })
  // Keeps the first answer: after the registration the form shows its success, although the state is `done`
  // then.
  const [first, setFirst] = useState(data?.state)
  if (data && !first) setFirst(data.state)
  const state = first === 'wrong_code' && !code ? 'missing' : first
  const [isRegistered, setRegistered] = useState(false)
  useReplacePageTitle(isRegistered ? t.registered : null)
  return (
    <PageLayout kind="narrow">
      <PageHeader title={isRegistered ? t.registered : t.title}>
        <DecorativeAvatars />
      </PageHeader>
      {error && <LoadError error={error} onRetry={refetch} />}
      {!state && !error && <Loading />}
      {state === 'open' && (
        <>
          {!isRegistered && <p className="form-alternative">{t.open}</p>}
          <RegistrationForm setupCode={code} onRegistered={() => setRegistered(true)} />
        </>
      )}
      {state && state !== 'open' && (
        <div className="card alone form-card">
          <p>{t[state]}</p>
          {state === 'done' ? (
            <ButtonLink kind="primary" fullWidth href="/register">
              {t.register}
            </ButtonLink>
          ) : (
            <ButtonLink fullWidth href="/">
              {t.backToTop}
            </ButtonLink>
          )}
        </div>
      )}
    </PageLayout>
  )
}
