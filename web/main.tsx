import '#web/styles.css'
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from '#web/App.tsx'
import { ApiError } from '#web/api.ts'
import { markServerReachable, markServerUnreachable } from '#web/connection.ts'
import { initialPageData } from '#web/page-data.ts'
import { applyTheme } from '#web/settings.ts'
import { findPageAtPath, loadViewsOfPage, prefetchViews } from '#web/views.tsx'

const IDLE = 2000
const isTransient = (error: unknown) =>
  error instanceof ApiError && (error.status === 0 || error.status >= 500)
const watchConnection = {
  onSuccess: markServerReachable,
  onError: (error: unknown) =>
    error instanceof ApiError && error.status === 0 ? markServerUnreachable() : markServerReachable(),
}
const client = new QueryClient({
  queryCache: new QueryCache(watchConnection),
  mutationCache: new MutationCache(watchConnection),
  defaultOptions: {
    queries: {
      // Requests without a network fail with an error, instead of waiting silently.
      networkMode: 'always',
      staleTime: 30_000,
      refetchOnWindowFocus: false,
      refetchOnReconnect: true,
      retry: (count, error) => count < 2 && isTransient(error),
    },
    mutations: { networkMode: 'always' },
  },
})

async function start() {
  applyTheme(initialPageData.theme)
  const page = initialPageData.status < 500 ? findPageAtPath(location.pathname) : undefined
  // If the view could not be loaded, the page shows the error when it is rendered.
  if (page) await loadViewsOfPage(page).catch(() => {})
  const root = createRoot(document.getElementById('app')!)
  // In a transition, React renders in small steps, and leaves the browser time for other work.
  startTransition(() =>
    root.render(
      <StrictMode>
        <QueryClientProvider client={client}>
          <App />
        </QueryClientProvider>
      </StrictMode>,
    ),
  )
  setTimeout(prefetchViews, IDLE)
}
start()
