import './accounts.css'
import './settings.css'
import type { ReactNode } from 'react'
import { RequireAdmin } from '#features/people/web/RequireAdmin.tsx'
import { PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'

/** Shows other people a notice instead of the content. */
export const AdminLayout = ({ title, children }: { title: string; children: ReactNode }) => (
  <PageLayout kind="wide inset">
    <PageHeader title={title} />
    <RequireAdmin>{children}</RequireAdmin>
  </PageLayout>
)
