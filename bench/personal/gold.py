"""Makes texts in ten languages that have personal data, and texts with numbers that are none; a seed decides.

A text is a sentence, as pages of contacts, imprints, forums and news have them. Forms of telephone numbers are those in
use in each country, written by hand and not taken from the rules that are measured.
"""

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from personal import numbers

SEED = 45


class Place(NamedTuple):
    """Personal data in a text: code points [start, end)."""

    kind: str
    start: int
    end: int


class Text(NamedTuple):
    """A text, its language, the ending of its host, and its places."""

    language: str
    ending: str
    text: str
    places: tuple[Place, ...]


class _Language(NamedTuple):
    names: str
    domains: str
    phones: str  # forms, divided by ;
    accounts: str
    sentences: str  # one per line; {…} is a place
    others: str  # one per line; {…} is no place


_LANGUAGES = {
    "en": _Language(
        "Alice Morgan, James O'Brien, Priya Patel, Tom Baker",
        "example.com, acme-tools.co.uk, mail.example.org, library.edu",
        "(?1#) ###-####;?1#-5##-####;+1 ?1# 5## ####;1-800-5##-####;020 7### ####;+44 20 7### ####;07### ######"
        ";?1#.5##.####;+44 (0)161 ### ####;01632 960###",
        "GB",
        """Contact {name} at {email} for details.
Questions? Write to {email} or call {phone}.
Phone: {phone}, fax: {phone}
You can reach our office on {phone} between 9 and 5.
{name}, {phone}, {email}
The attack came from {ip} at night.
Our mail server has the address {ip}.
Please transfer the fee to {iban}.
Card {card} was declined yesterday.
His number is {identity}, she said.
Mobile {phone} (ask for {name})
Bug reports to <{email}>.""",
        """It cost {price} in {year}, up from {price} the year before.
ISBN {isbn}, published {date}.
Upgrade from version {version} to {version} first.
Order no. {order} was sent on {date}.
The camp lies at {coordinates}, near the river.
Open {times}, closed on {date}.
See pages {pages} and section {section}.
The town had {count} inhabitants in {year}.
Set the gateway to {private}.
The article number is {ean}.
Follow @{handle} or see icon@2x.png.
doi:{doi}""",
    ),
    "de": _Language(
        "Anna Schmidt, Jörg Müller, Katrin Weiß, Peter Lang",
        "firma-beispiel.de, web.example, uni-musterstadt.de, verein.at",
        "030 ########;+49 (0)89 ### ## ##;0171/#######;089 / ## ## ## ##;+49-221-######;0043 1 ### ## ##;(0621) ######"
        ";0800 #######;+49 170 #######;030/### ## ##-##",
        "DE",
        """Ihr Ansprechpartner: {name}, Tel. {phone}, E-Mail {email}
Rufen Sie uns unter {phone} an.
Schreiben Sie an {email}!
Telefon: {phone}, Telefax: {phone}
{name} ({phone}) freut sich auf Ihren Anruf.
Der Angriff kam von {ip}.
Spenden bitte auf das Konto {iban}.
IBAN: {iban}
Seine Karte {card} ist gesperrt.
Steuernummer {identity}, ausgestellt in Köln.
Handy {phone}
Anfragen: {email}""",
        """Das Haus kostet {price}, vor {year} waren es {price}.
ISBN {isbn}, erschienen am {date}
Version {version} behebt den Fehler aus {version}.
Bestellnummer {order} vom {date}
Die Hütte liegt bei {coordinates}.
Geöffnet {times}, außer am {date}.
Vgl. S. {pages} und Abschnitt {section}.
{count} Einwohner zählte die Stadt {year}.
Das Gateway ist {private}.
Artikelnummer {ean}
Folgen Sie @{handle}!
doi:{doi}""",
    ),
    "fr": _Language(
        "Camille Durand, Élodie Petit, Luc Martin, Zoé Lefèvre",
        "exemple.fr, mairie-ville.fr, asso.example, univ.fr",
        "01 ## ## ## ##;06.##.##.##.##;+33 (0)4 ## ## ## ##;+33 6 ## ## ## ##;04-##-##-##-##;0033 1 ## ## ## ##"
        ";0800 ### ###;07########",
        "FR",
        """Renseignements : {name}, tél. {phone}
Appelez le {phone} ou écrivez à {email}.
Courriel : {email}
Téléphone : {phone} – Fax : {phone}
{name} répond au {phone} tous les matins.
L'attaque venait de {ip}.
Virement sur le compte {iban}.
La carte {card} est refusée.
Numéro de sécurité sociale : {identity}
Portable {phone}, demander {name}.
Écrire à <{email}>.""",
        """Le prix passe de {price} à {price} en {year}.
ISBN {isbn}, paru le {date}
La version {version} corrige la {version}.
Commande n° {order} du {date}
Le refuge est à {coordinates}.
Ouvert {times}, fermé le {date}.
Voir p. {pages} et section {section}.
La ville comptait {count} habitants en {year}.
La passerelle est {private}.
Référence {ean}
Suivez @{handle} !
doi:{doi}""",
    ),
    "es": _Language(
        "Lucía Gómez, Javier Ruiz, Íñigo Peña, Marta Sanz",
        "ejemplo.es, ayto-villa.es, correo.example, uni.edu.ar",
        "91 ### ## ##;6## ### ###;+34 9## ### ###;93#.##.##.##;(+34) 6## ## ## ##;900 ### ###;95# ## ## ##"
        ";0034 91 ### ## ##",
        "ES",
        """Información: {name}, tel. {phone}
Llame al {phone} o escriba a {email}.
Correo: {email}
Teléfono: {phone}. Fax: {phone}
{name} atiende en el {phone} por las mañanas.
El ataque vino de {ip}.
Ingrese la cuota en {iban}.
La tarjeta {card} fue rechazada.
Con DNI {identity}, vecino de Sevilla.
Móvil {phone}""",
        """El precio sube de {price} a {price} en {year}.
ISBN {isbn}, publicado el {date}
La versión {version} corrige la {version}.
Pedido n.º {order} del {date}
El refugio está en {coordinates}.
Abierto {times}, cerrado el {date}.
Véanse pp. {pages} y sección {section}.
La ciudad tenía {count} habitantes en {year}.
La puerta de enlace es {private}.
Referencia {ean}
Siga a @{handle}.""",
    ),
    "it": _Language(
        "Giulia Rossi, Marco Bianchi, Niccolò Conti, Sara Greco",
        "esempio.it, comune.citta.it, posta.example, scuola.edu.it",
        "06 ########;02 #### ####;+39 3## #######;3## ### ####;051/######;0039 06 #######;800 ######;+39 055 ######",
        "IT",
        """Informazioni: {name}, tel. {phone}
Chiamate il {phone} o scrivete a {email}.
Posta: {email}
Telefono: {phone} - Fax: {phone}
{name} risponde al {phone} di mattina.
L'attacco veniva da {ip}.
Bonifico sul conto {iban}.
La carta {card} è stata rifiutata.
Codice fiscale {identity}, nato a Roma.
Cell. {phone}""",
        """Il prezzo sale da {price} a {price} nel {year}.
ISBN {isbn}, uscito il {date}
La versione {version} corregge la {version}.
Ordine n. {order} del {date}
Il rifugio è a {coordinates}.
Aperto {times}, chiuso il {date}.
Si vedano pp. {pages} e sezione {section}.
La città contava {count} abitanti nel {year}.
Il gateway è {private}.
Codice articolo {ean}
Seguite @{handle}.""",
    ),
    "pt": _Language(
        "João Silva, Ana Souza, Inês Carvalho, Luís Gonçalves",
        "exemplo.com.br, prefeitura.gov.br, correio.example, empresa.pt",
        "(11) 9####-####;+55 21 #### ####;(31) 3###-####;21 ### ## ##;+351 9## ### ###;0800 ### ####;+351 22 ### ####",
        "PT",
        """Informações: {name}, tel. {phone}
Ligue para {phone} ou escreva para {email}.
Correio: {email}
Telefone: {phone}. Fax: {phone}
{name} atende pelo {phone} de manhã.
O ataque veio de {ip}.
Transferência para {iban}.
O cartão {card} foi recusado.
CPF {identity}, morador do Recife.
Celular {phone}""",
        """O preço sobe de {price} para {price} em {year}.
ISBN {isbn}, publicado em {date}
A versão {version} corrige a {version}.
Pedido nº {order} de {date}
O abrigo fica em {coordinates}.
Aberto {times}, fechado em {date}.
Ver pp. {pages} e seção {section}.
A cidade tinha {count} habitantes em {year}.
O gateway é {private}.
Referência {ean}
Siga @{handle}.""",
    ),
    "pl": _Language(
        "Anna Kowalska, Łukasz Wójcik, Jan Nowak, Zofia Wiśniewska",
        "przyklad.pl, urzad-gminy.pl, poczta.example, szkola.edu.pl",
        "22 ### ## ##;+48 6## ### ###;(12) ### ## ##;5##-###-###;0048 22 ### ## ##;801 ### ###;+48 22 ### ## ##"
        ";6## ### ###",
        "PL",
        """Kontakt: {name}, tel. {phone}
Prosimy dzwonić pod numer {phone} lub pisać na {email}.
E-mail: {email}
Telefon: {phone}, faks: {phone}
{name} czeka pod {phone} codziennie.
Atak przyszedł z {ip}.
Wpłaty na konto {iban}.
Karta {card} została odrzucona.
PESEL {identity}, zamieszkały w Krakowie.
kom. {phone}""",
        """Cena wzrosła z {price} do {price} w {year}.
ISBN {isbn}, wydano {date}
Wersja {version} poprawia {version}.
Zamówienie nr {order} z {date}
Schronisko leży na {coordinates}.
Czynne {times}, nieczynne {date}.
Zob. s. {pages} i rozdział {section}.
Miasto liczyło {count} mieszkańców w {year}.
Brama to {private}.
Numer artykułu {ean}
Obserwuj @{handle}.""",
    ),
    "cs": _Language(
        "Jana Nováková, Petr Dvořák, Tomáš Černý, Eva Říhová",
        "priklad.cz, mesto-obec.cz, posta.example, skola.cz",
        "2## ### ###;+420 7## ### ###;00420 5## ### ###;+420-6##-###-###;777 ### ###;+420 2########",
        "CZ",
        """Kontakt: {name}, tel. {phone}
Volejte {phone} nebo pište na {email}.
E-mail: {email}
Telefon: {phone}, fax: {phone}
{name} je na čísle {phone} každé ráno.
Útok přišel z {ip}.
Platby na účet {iban}.
Karta {card} byla odmítnuta.
Rodné číslo {identity}, bytem v Brně.
mobil {phone}""",
        """Cena vzrostla z {price} na {price} v roce {year}.
ISBN {isbn}, vyšlo {date}
Verze {version} opravuje {version}.
Objednávka č. {order} ze dne {date}
Chata leží na {coordinates}.
Otevřeno {times}, zavřeno {date}.
Viz s. {pages} a oddíl {section}.
Město mělo {count} obyvatel v roce {year}.
Brána je {private}.
Číslo zboží {ean}
Sledujte @{handle}.""",
    ),
    "ru": _Language(
        "Анна Иванова, Пётр Смирнов, Олег Кузнецов, Мария Попова",
        "primer.ru, gorod-adm.ru, pochta.example, vuz.edu.ru",
        "8 (495) ###-##-##;+7 916 ###-##-##;8-800-###-##-##;(812) ###-##-##;8 926 ### ## ##;+7 (343) ### ## ##"
        ";+7903#######",
        "",
        """Контакты: {name}, тел. {phone}
Звоните по номеру {phone} или пишите на {email}.
Почта: {email}
Телефон: {phone}, факс: {phone}
{name} ждёт звонка: {phone}.
Атака шла с {ip}.
Карта {card} отклонена.
СНИЛС {identity}, выдан в Туле.
моб. {phone}""",
        """Цена выросла с {price} до {price} в {year} году.
ISBN {isbn}, вышла {date}
Версия {version} исправляет {version}.
Заказ № {order} от {date}
Приют стоит на {coordinates}.
Открыто {times}, закрыто {date}.
См. с. {pages} и раздел {section}.
В городе жило {count} человек в {year} году.
Шлюз {private}.
Артикул {ean}
Читайте @{handle}.""",
    ),
    "zh": _Language(
        "王芳, 李伟, 张敏, 刘洋",
        "liezi.cn, chengshi.gov.cn, youxiang.example, daxue.edu.cn",
        "010-########;138########;+86 21 #### ####;(0755) ########;400-###-####;139 #### ####;0571-########",
        "",
        """联系人：{name}，电话：{phone}
请致电{phone}或发邮件至{email}。
邮箱：{email}
电话：{phone}，传真：{phone}
{name}的手机是{phone}。
攻击来自{ip}。
卡号{card}被拒绝。
身份证号{identity}，住北京。
手机 {phone}""",
        """价格从{price}涨到{price}。
ISBN {isbn}，{date}出版
版本 {version} 修复了 {version}。
订单号 {order}，{date}
营地位于{coordinates}。
开放时间{times}，{date}休息。
见第{pages}页和第{section}节。
{year}年该市有{count}人。
网关为{private}。
商品编号 {ean}
关注@{handle}。""",
    ),
}
_PRICES = {"en": "${},{}", "zh": "{}{}元", "ru": "{} {} ₽", "cs": "{} {} Kč", "pl": "{} {} zł", "pt": "R$ {}.{},00"}
_DATES = {"en": ("{m}/{d}/{y}", "{y}-{m}-{d}", "{d}/{m}/{y}"), "zh": ("{y}-{m}-{d}", "{y}/{m}/{d}")}


def made(number: int, seed: int = SEED) -> list[Text]:
    """Returns `number` texts of each language; two of three have personal data."""
    return [text for language in _LANGUAGES for text in _of_language(language, number, Random(f"{seed} {language}"))]


def _of_language(code: str, number: int, random: Random) -> Iterator[Text]:
    language = _LANGUAGES[code]
    with_places, without = language.sentences.split("\n"), language.others.split("\n")
    for count in range(number):
        pattern = random.choice(without if count % 3 == 2 else with_places)
        domain = random.choice(language.domains.split(", "))
        text, places = "", []
        for part in pattern.split("{"):
            slot, closed, rest = part.rpartition("}")
            if closed:
                value = _value(slot, code, language, domain, random)
                if slot in _PERSONAL:
                    places.append(Place(slot, len(text), len(text) + len(value)))
                text += value
            text += rest
        yield Text(code, domain, text, tuple(places))


_PERSONAL = ("email", "phone", "ip", "iban", "card", "identity")


def _value(slot: str, code: str, language: _Language, domain: str, random: Random) -> str:
    def fill(pattern: str) -> str:
        return numbers.filled(pattern, random)

    name = random.choice(language.names.split(", "))
    match slot:
        case "name":
            return name
        case "email":
            return _email(domain, random)
        case "phone":
            return fill(random.choice(language.phones.split(";")))
        case "ip":
            if random.random() < 0.15:
                return f"2a0{random.randint(0, 9)}:{random.randint(4096, 65535):x}::{random.randint(1, 65535):x}"
            first = random.choice([8, 37, 62, 77, 91, 93, 141, 151, 178, 185, 193, 203, 212])
            return ".".join(map(str, [first, *(random.randint(0, 255) for _ in range(2)), random.randint(1, 254)]))
        case "iban":
            account = numbers.iban(random.choice([language.accounts] * 3 + ["NL", "CH"]), random)
            spaced = " ".join(account[place : place + 4] for place in range(0, len(account), 4))
            return random.choice([spaced, spaced, account])
        case "card":
            digits = numbers.card(random)
            sizes = (4, 4, 4, 4) if len(digits) == 16 else (4, 6, 5)
            groups = [digits[sum(sizes[:place]) :][:size] for place, size in enumerate(sizes)]
            return random.choice([" ", " ", "-", ""]).join(groups)
        case "identity":
            return numbers.IDENTITIES[code](random)
        case "price":
            return _PRICES.get(code, "{}.{} €").format(fill("N##"), fill("###"))
        case "year":
            return str(random.randint(1900, 2026))
        case "isbn":
            return random.choice([numbers.isbn13, numbers.isbn10])(random)
        case "date":
            form = random.choice(_DATES.get(code, ("{d}.{m}.{y}", "{y}-{m}-{d}", "{d}/{m}/{y}")))
            day, month = f"{random.randint(1, 28):02}", f"{random.randint(1, 12):02}"
            return form.format(d=day, m=month, y=random.randint(1990, 2026))
        case "version":
            return random.choice([fill("N.N.#"), fill("10.0.1####.N"), fill("N.1#.NN.#")])
        case "order":
            return random.choice(
                [fill("N##-#######-#######"), fill("####-####-####"), fill("N#######"), fill("A-N####-##")]
            )
        case "coordinates":
            return f"{random.uniform(35, 60):.4f}, {random.uniform(1, 40):.4f}"
        case "times":
            return f"{random.randint(7, 10):02}:00–{random.randint(12, 20)}:30"
        case "pages":
            first = random.randint(100, 1900)
            return f"{first}-{first + random.randint(2, 40)}"
        case "section":
            return fill("N.N.N.N")
        case "count":
            return (
                fill(random.choice(["N ### ###", "N## ###"])) if code in ("fr", "pl", "cs", "ru") else fill("N######")
            )
        case "private":
            return random.choice([fill("192.168.N.1"), fill("10.0.#.N"), "127.0.0.1"])
        case "ean":
            return numbers.ean(random)
        case "handle":
            return random.choice(["anna_k", "newsdesk", "open.data", "team2024"])
    return f"10.{fill('1###')}/{fill('s#####-0##-#####-#')}"


def _email(domain: str, random: Random) -> str:
    first, last = random.choice(["anna", "j", "peter.paul", "info"]), random.choice(["kern", "smith", "silva", "novak"])
    local = random.choice(
        [first, f"{first}.{last}", f"{first}_{last}", f"{first}+{last}", f"{last}{random.randint(1, 99)}"]
    )
    form = random.random()
    if form < 0.06:
        return f"{local} (at) {domain}"
    return f"{local}[at]{domain}" if form < 0.1 else f"{local}@{domain}"
