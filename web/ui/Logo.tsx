/** Two people on a veranda, with room for a third. */
export const Logo = () => (
  <svg viewBox="0 0 32 32" aria-hidden="true">
    <rect width="32" height="32" rx="9" fill="#28634f" />
    <path d="M5.5 21.6v-8.9a4.3 4.3 0 0 1 8.6 0v8.9z" fill="#fcfdfa" />
    <path d="M15.4 21.6v-4.7a4.3 4.3 0 0 1 8.6 0v4.7z" fill="#a9d4b4" />
    <rect x="3.5" y="21.6" width="25" height="3.2" rx="1" fill="#dcb07a" />
  </svg>
)
