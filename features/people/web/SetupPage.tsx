import './people.css'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#web/api.ts'
import { texts, useText } from '#web/i18n.ts'
import { NotLoaded } from '#web/NotLoaded.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import { Loading } from '#web/ui/Loading.tsx'
import { EmptyAvatars, PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { setup } from '../contract.ts'
import { RegistrationForm } from './RegistrationForm.tsx'

const setupText = texts({
  en: {
    title: 'Set up',
    open: 'The account that you register here becomes the admin of this community.',
    missing:
      'This page needs the set-up code. Open the whole link that the server printed when it started: it ends in /setup?code=…',
    wrong_code:
      'The set-up code in this link is not right. Open the link that the server printed when it last started.',
    done: 'This community has an admin already. To become an admin as well, register and ask an admin.',
    register: 'Register',
  },
  ja: {
    title: 'セットアップ',
    open: 'ここで登録するアカウントが、このコミュニティーの管理者になります。',
    missing:
      'このページを使うには、セットアップコードが必要です。サーバーの起動時に表示された、/setup?code=… で終わるリンクを開いてください。',
    wrong_code:
      'このリンクのセットアップコードは正しくありません。サーバーを最後に起動したときに表示されたリンクを開いてください。',
    done: 'このコミュニティーにはすでに管理者がいます。管理者になるには、登録してから管理者に依頼してください。',
    register: '登録する',
  },
})

/** Registers the first admin, with the code of the link that the server prints at its start. */
export default function SetupPage() {
  const t = useText(setupText)
  const [code] = useState(() => new URLSearchParams(location.search).get('code') ?? '')
  const { data, error, refetch } = useQuery({
    queryKey: [setup.state.path, code],
    queryFn: () => api(setup.state, { code }),
  })
  // The first answer stays: after the registration the form shows that it succeeded.
  const [first, setFirst] = useState(data?.state)
  if (data && !first) setFirst(data.state)
  const state = first === 'wrong_code' && !code ? 'missing' : first
  return (
    <PageLayout kind="narrow">
      <PageHeader title={t.title}>
        <EmptyAvatars />
      </PageHeader>
      {error && <NotLoaded error={error} onRetry={refetch} />}
      {!state && !error && <Loading />}
      {state && <p className="form-else">{t[state]}</p>}
      {state === 'open' && <RegistrationForm setupCode={code} />}
      {state === 'done' && (
        <ButtonLink kind="primary" href="/register">
          {t.register}
        </ButtonLink>
      )}
    </PageLayout>
  )
}
