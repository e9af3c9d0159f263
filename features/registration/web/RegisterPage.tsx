import '#features/people/web/account-pages.css'
import { useState } from 'react'
import { accountText } from '#features/people/web/account-text.ts'
import { useText } from '#web/i18n.ts'
import { useReplacePageTitle } from '#web/title.ts'
import { DecorativeAvatars, PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { RegistrationForm } from './RegistrationForm.tsx'

export default function RegisterPage() {
  const t = useText(accountText)
  const [isRegistered, setRegistered] = useState(false)
  useReplacePageTitle(isRegistered ? t.registered : null)
  return (
    <PageLayout kind="narrow">
      <PageHeader title={isRegistered ? t.registered : t.signUp}>
        <DecorativeAvatars />
      </PageHeader>
      <RegistrationForm onRegistered={() => setRegistered(true)} />
    </PageLayout>
  )
}
