/** The way from one of many to all of them, there whether the one can be shown or not. */
export function Back({ to, text }: { readonly to: string; readonly text: string }) {
  return (
    <p class="back">
      <a href={to}>← {text}</a>
    </p>
  );
}
